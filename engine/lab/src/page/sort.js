document.querySelectorAll("table.sortable").forEach((table) => {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      const value = (row) => row.cells[column].dataset.v ?? row.cells[column].textContent.trim();
      const compare = (one, two) => {
        const [a, b] = [value(one), value(two)];
        if (a === "" || b === "") return (a === "") - (b === "");
        const [x, y] = [parseFloat(a), parseFloat(b)];
        const order = isNaN(x) || isNaN(y) ? a.localeCompare(b) : x - y;
        return down ? -order : order;
      };
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
    });
  });
});
