// @ts-check
// The card editor of the designer: a form beside the face. The table checks each edit; only Save writes the file.

import { el, get } from './dom.js';
import { familyOf } from './deck.js';
import { drawFace, layout, stripe } from './face.js';
import { setCardTools } from './card.js';
import { withLinks } from './links.js';
import { state } from './state.js';

/** @typedef {import('./protocol').CardField} Field */
/** @typedef {import('./protocol').CardForm} Form */
/** @typedef {import('./protocol').CheckedCard} Checked */

/** Sends a message. @type {(message: unknown) => void} */
let send = () => {};
/** The open form. @type {Form | null} */
let form = null;
/** Whether the form makes a new card. */
let isNew = false;
/** The typed values of each form, so that closing a form loses nothing. @type {Map<string, Map<string, string>>} */
const drafts = new Map();
/** Number of the last sent draft; the reply to an older one is ignored. */
let sent = 0;
/** Moment at which the pending draft was sent, in milliseconds; 0: none is pending. */
let pending = 0;
/** Whether something was typed since. */
let isStale = false;
/** What the form says if there is no error. */
let note = '';
/** Time after which a draft without a reply counts as lost, in milliseconds. */
const LOST = 3000;
/** Most names in a list to choose from; more are typed. */
const MANY = 60;

const dialog = () => /** @type {HTMLDialogElement} */ (get('editor'));
const typed = () => drafts.get(key()) ?? new Map();
const key = () => `${form?.card}${isNew ? ' new' : ''}`;

/** @param {(message: unknown) => void} how */
export function setEditorSender(how) {
  send = how;
}

setCardTools((of) => {
  if (!state.place?.designer) return [];
  const open = (/** @type {boolean} */ copy) => () => {
    isNew = copy;
    note = '';
    /** @type {HTMLDialogElement} */ (get('card')).close();
    send({ form: { card: of.id } });
  };
  return [
    button('Edit', open(false), { 'data-key': 'edit' }),
    button('New card from this one', open(true), { 'data-key': 'copy' }),
  ];
});

/** Shows a form that the table sent, or why there is none. @param {Form & {why?: string}} received */
export function receiveForm(received) {
  if (received.why !== undefined) {
    form = null;
    show(
      el('header', {}, el('h2', {}, received.card), closeButton()),
      el('p', { class: 'why', role: 'alert' }, ...withCode(sentence(received.why))),
    );
    return;
  }
  form = received;
  draw(received);
  get('editor-status').textContent = note;
  pending = 0;
  check();
}

/** Checks the open form again after the game changed. */
export function recheck() {
  if (dialog().open && form) check();
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {...Node} children */
function show(...children) {
  dialog().replaceChildren(...children);
  if (!dialog().open) dialog().showModal();
}

/** @param {string} text @param {() => void} click @param {Record<string, any>} [props] */
const button = (text, click, props = {}) => el('button', { type: 'button', class: 'plain', click, ...props }, text);

const closeButton = () => button('Close', () => dialog().close());

/** The value that a field shows. @param {Field} field */
const valueOf = (field) => typed().get(field.name) ?? (isNew && field.name === 'id' ? '' : field.value);

/** @param {Form} of */
const nameOf = (of) => of.fields.find((field) => field.name === 'name')?.value || of.card;

/** @param {Form} of */
function draw(of) {
  const hasDraft = typed().size > 0;
  const fields = of.fields.filter((field) => isNew || field.name !== 'id').map(drawField);
  const verbs = of.verbs.map(({ name, args, text }) =>
    el('div', {}, el('dt', {}, el('code', {}, [name, ...args].join(' '))), el('dd', {}, ...withLinks(text))),
  );
  show(
    el(
      'header',
      {},
      el('h2', {}, isNew ? `New card from ${nameOf(of)}` : nameOf(of)),
      el('code', { class: 'file' }, isNew ? of.file : `${of.file}: ${of.card.split('.')[1]}`),
      closeButton(),
    ),
    el(
      'div',
      { class: 'beside' },
      el('div', { class: 'proof' }, el('div', { id: 'editor-face' }), el('ul', { id: 'editor-changes' })),
      el(
        'div',
        { class: 'form', input: edit, change: edit, keydown: shortcut, click: suggest, keyup: suggest },
        ...fields,
        of.fields.some((field) => field.form === 'effect') && el(
          'details',
          { class: 'verbs' },
          el('summary', {}, 'Verbs'),
          el('p', {}, 'Effects are verbs: `;` separates them, and amounts are written `2 gold, 1 iron`.'),
          el('dl', {}, ...verbs),
        ),
      ),
    ),
    el(
      'footer',
      {},
      button('Save', save, { class: 'can', id: 'editor-save' }),
      button('Discard edits', discard, { id: 'editor-discard', disabled: !hasDraft }),
      button('Take back the save', takeBack, { id: 'editor-back', hidden: of.saves === 0 }),
      button('Reload the form', reload, { id: 'editor-reload', hidden: true }),
      el('span', { id: 'editor-status', role: 'status' }),
    ),
  );
}

/** @param {Field} field */
function drawField(field) {
  const id = `field-${field.name}`;
  const hasNames = (field.form === 'list' || field.form === 'amounts') && field.names.length > 0;
  const hints = [
    field.text,
    field.range && `${field.range[0]} to ${field.range[1]}`,
    field.default !== '' && `default ${field.default}`,
    field.form === 'list' && 'with commas',
    hasNames && field.names.slice(0, 24).join(', '),
  ];
  const hint = hints.filter(Boolean).join(' · ');
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, field.name.replaceAll('_', ' ')),
    control(field, { id, name: field.name, 'data-field': field.name, 'aria-describedby': `${id}-hint ${id}-fault` }),
    field.form === 'effect' && el('div', { class: 'names', 'data-names': field.name }),
    el('small', { id: `${id}-hint` }, ...withLinks(hint)),
    el('p', { id: `${id}-fault`, class: 'fault', 'data-fault': field.name }),
  );
}

/** @param {Field} field @param {Record<string, any>} props */
function control(field, props) {
  const value = valueOf(field);
  const names = field.form === 'boolean' ? ['TRUE', 'FALSE'] : field.form === 'name' ? field.names : [];
  if (names.length > 0 && names.length <= MANY) {
    const all = ['', ...names, ...(value === '' || names.includes(value) ? [] : [value])];
    return el('select', props, ...all.map((name) => el('option', { value: name, selected: name === value }, name)));
  }
  if (['text', 'effect', 'toml'].includes(field.form) && !['id', 'name', 'image'].includes(field.name)) {
    const isText = field.form === 'text';
    const area = /** @type {HTMLTextAreaElement} */ (el('textarea', { ...props, rows: 2, spellcheck: String(isText) }));
    area.value = value;
    return area;
  }
  const list = names.length > 0 ? `${props.id}-names` : null;
  const inputmode = field.form === 'integer' ? 'numeric' : null;
  const input = el('input', { ...props, value, list, inputmode, autocomplete: 'off' });
  if (!list) return input;
  return el('span', {}, input, el('datalist', { id: list }, ...names.map((name) => el('option', { value: name }))));
}

/** @param {Event} event */
function edit(event) {
  const field = form?.fields.find((one) => one.name === /** @type {HTMLElement} */ (event.target).dataset?.field);
  if (!field) return;
  suggest(event);
  const { value } = /** @type {HTMLInputElement} */ (event.target);
  const own = typed();
  if (value === (isNew && field.name === 'id' ? '' : field.value)) own.delete(field.name);
  else own.set(field.name, value);
  drafts.set(key(), own);
  note = '';
  /** @type {HTMLButtonElement} */ (get('editor-discard')).disabled = own.size === 0;
  check();
}

/** The beginning of a verb before the cursor: after nothing, `;`, `|` or a bracket of TOML. */
const VERB = /(?:^|[;|{\n])\s*([a-z_0-9]*)$/;
/** Most suggested verbs. */
const FEW = 8;

/** Suggests verbs below a field of effects, where its cursor is at a verb. @param {Event} event */
function suggest(event) {
  const area = /** @type {HTMLTextAreaElement} */ (event.target);
  const place = dialog().querySelector(`[data-names="${CSS.escape(area.dataset?.field ?? '')}"]`);
  if (!place || !form) return;
  const begun = VERB.exec(area.value.slice(0, area.selectionStart))?.[1];
  const fits = form.verbs.filter(({ name }) => begun !== undefined && name.startsWith(begun) && name !== begun);
  const insert = (/** @type {string} */ name) => () => {
    area.setRangeText(`${name} `, area.selectionStart - (begun?.length ?? 0), area.selectionStart, 'end');
    area.focus();
    area.dispatchEvent(new Event('input', { bubbles: true }));
  };
  place.replaceChildren(...fits.slice(0, FEW).map(({ name, args, text }) =>
    button(name, insert(name), { title: [name, ...args].join(' ') + (text ? `: ${text}` : ''), 'data-verb': name })));
}

/** @param {KeyboardEvent} event */
function shortcut(event) {
  if (!(event.ctrlKey || event.metaKey) || !['s', 'Enter'].includes(event.key)) return;
  event.preventDefault();
  save();
}

/** The edited card, as the table takes it. */
function card() {
  const own = typed();
  const cells = (form?.fields ?? [])
    .filter((field) => own.has(field.name) && field.name !== 'id')
    .map((field) => [field.name, { was: field.value, now: own.get(field.name) ?? '' }]);
  return { card: form?.card, ...(isNew ? { new: own.get('id') ?? '' } : {}), cells: Object.fromEntries(cells) };
}

/** Sends the draft for a check, unless the reply to another one is pending. */
function check() {
  isStale = pending > 0 && performance.now() - pending < LOST;
  if (isStale) return;
  pending = performance.now();
  sent += 1;
  send({ draft: { number: sent, card: card() } });
}

function save() {
  pending = performance.now();
  isStale = false;
  sent += 1;
  get('editor-status').textContent = 'Saving …';
  send({ save: { number: sent, card: card() } });
}

function takeBack() {
  get('editor-status').textContent = 'Taking back …';
  send({ take_back: {} });
}

/** Goes on after a save was taken back. @param {{card?: string, why?: string}} received */
export function receiveTakenBack({ card, why }) {
  if (!form || !dialog().open) return;
  if (why !== undefined) return get('editor-status').replaceChildren(...withCode(sentence(why)));
  isNew = false;
  note = 'Taken back: the file is as before the save.';
  send({ form: { card } });
}

function discard() {
  drafts.delete(key());
  if (form) send({ form: { card: form.card } });
}

/** Fetches the values of the file again; the typed ones stay. */
function reload() {
  if (form) send({ form: { card: form.card } });
}

/** Shows the result of a check. @param {{number: number, why?: string, checked?: Checked}} received */
export function receiveEdited({ number, why, checked }) {
  if (number !== sent) return;
  pending = 0;
  if (!form || !dialog().open) return;
  if (isStale) check();
  if (!checked) {
    drawProof(null, why ?? '');
    get('editor-changes').replaceChildren();
    return get('editor-status').replaceChildren(...withCode(sentence(why ?? '')));
  }
  if (checked.saved) return saved();
  drawProof(checked.face, checked.faults.find((fault) => fault.is_error)?.message ?? '');
  get('editor-changes').replaceChildren(...checked.changes.map((change) => el('li', {}, ...withCode(change))));
  drawFaults(checked.faults);
}

/** Shows the face of the edited card, or why it has none. @param {Checked['face']} of @param {string} why */
function drawProof(of, why) {
  const drawn = of
    ? el('div', { class: `card ${layout(of)} ${stripe(of)}` }, ...drawFace(of, of.name))
    : el('p', { class: 'fault' }, el('span', { class: 'error' }, 'No face: ', ...withCode(why)));
  get('editor-face').replaceChildren(drawn);
}

/** A message; names between backticks are code. @param {string} text */
const withCode = (text) => text.split('`').map((part, at) => (at % 2 === 1 ? el('code', {}, part) : part));

/** @param {Checked['faults']} faults */
function drawFaults(faults) {
  const text = (/** @type {Checked['faults'][number]} */ fault) =>
    withCode(sentence(fault.message) + (fault.help ? ` (${fault.help})` : ''));
  const fieldOf = (/** @type {string | null} */ name) =>
    dialog().querySelector(`[data-field="${CSS.escape(name ?? '')}"]`);
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (dialog().querySelectorAll('[data-fault]'))) {
    const own = faults.filter((fault) => fault.field === node.dataset.fault);
    const lines = own.map((fault) => el('span', { class: fault.is_error ? 'error' : 'warning' }, ...text(fault)));
    node.replaceChildren(...lines);
    const isWrong = own.some((fault) => fault.is_error);
    fieldOf(node.dataset.fault ?? '')?.setAttribute('aria-invalid', String(isWrong));
  }
  const others = faults.filter((fault) => !fault.field || !fieldOf(fault.field));
  const errors = faults.filter((fault) => fault.is_error).length;
  const count = errors === 0 ? '' : errors === 1 ? '1 error' : `${errors} errors`;
  const elsewhere = others.map((fault) => el('p', { class: 'fault' }, ...text(fault)));
  get('editor-status').replaceChildren(count || note, ...elsewhere);
  /** @type {HTMLButtonElement} */ (get('editor-save')).disabled = errors > 0;
  get('editor-reload').hidden = !faults.some((fault) => fault.changed !== null);
}

/** Goes on with the saved card. */
function saved() {
  const own = typed();
  const id = isNew ? `${familyOf(form?.card ?? '')}.${own.get('id')}` : form?.card;
  drafts.delete(key());
  isNew = false;
  note = 'Saved.';
  send({ form: { card: id } });
}

