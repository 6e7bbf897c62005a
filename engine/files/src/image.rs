//! Reads images from untrusted sources.
//!
//! An SVG is parsed and written anew with its shapes, colours and gradients only: without scripts, links, styles, texts and files.

use std::collections::BTreeMap;

use usvg::{ImageHrefResolver, Options, Tree, WriteOptions};

/// Maximum width and height of an image, in pixels.
pub const MAX_SIDE: u32 = 4096;

/// An image that a browser may draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// MIME type.
    pub kind: &'static str,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// Images by their displayed paths.
pub type Images = BTreeMap<String, Image>;

impl Image {
    /// Reads an image. The extension of `name` tells the format: `svg`, `png`, `jpg` or `webp`.
    ///
    /// # Errors
    /// The reason why the image cannot be drawn: another format, damaged, or larger than [`MAX_SIDE`].
    pub fn read(name: &str, bytes: Vec<u8>) -> Result<Self, String> {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let (kind, format) = match ending {
            "svg" => return read_svg(&bytes),
            "png" => ("image/png", imagesize::ImageType::Png),
            "jpg" => ("image/jpeg", imagesize::ImageType::Jpeg),
            "webp" => ("image/webp", imagesize::ImageType::Webp),
            _ => return Err("the extension is not svg, png, jpg or webp".to_owned()),
        };
        if imagesize::image_type(&bytes).ok() != Some(format) {
            return Err(format!("the content is not {}", ending.to_uppercase()));
        }
        let size = imagesize::blob_size(&bytes).map_err(|_| "the image is damaged".to_owned())?;
        if size.width == 0 || size.height == 0 || size.width.max(size.height) > MAX_SIDE as usize {
            return Err(format!("the image has {} x {} pixels: use 1 to {MAX_SIDE}", size.width, size.height));
        }
        Ok(Self { kind, bytes })
    }
}

fn read_svg(bytes: &[u8]) -> Result<Image, String> {
    let text = str::from_utf8(bytes).map_err(|_| "the SVG is not UTF-8 text".to_owned())?;
    let image_href_resolver =
        ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let options = Options { image_href_resolver, ..Options::default() };
    let tree = Tree::from_str(text, &options).map_err(|error| format!("the SVG cannot be drawn: {error}"))?;
    let (width, height) = (tree.size().width(), tree.size().height());
    if width.max(height) > MAX_SIDE as f32 {
        return Err(format!("the SVG is {width} x {height}: use at most {MAX_SIDE}"));
    }
    if !tree.root().has_children() {
        return Err("the SVG draws nothing: convert its texts to paths, and leave out scripts and links".to_owned());
    }
    let written = tree.to_string(&WriteOptions::default());
    // Without it, a browser stretches the drawing.
    let drawn = written.replacen("<svg", &format!("<svg viewBox=\"0 0 {width} {height}\""), 1);
    Ok(Image { kind: "image/svg+xml", bytes: drawn.into_bytes() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inner: &str) -> Vec<u8> {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 40 40' \
             onload='alert(1)'>{inner}</svg>"
        )
        .into_bytes()
    }

    #[test]
    fn a_drawing_keeps_its_shapes_and_nothing_else() {
        let hostile = "<script>alert(1)</script><style>@import 'http://a.test/x';rect{fill:red}</style>\
             <a href='javascript:alert(1)'><rect id='r' width='20' height='20' onclick='alert(1)'/></a>\
             <foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>text</p></foreignObject>\
             <image href='http://a.test/x.png' width='9' height='9'/><image href='/etc/passwd' width='9' height='9'/>\
             <use href='http://a.test/x.svg#a'/><animate attributeName='href' to='javascript:alert(1)'/>\
             <rect width='9' height='9' fill='url(http://a.test/x)'/><text>Words</text>";
        let image = Image::read("lamp.svg", svg(hostile)).unwrap();
        let text = String::from_utf8(image.bytes).unwrap();
        assert!(text.starts_with("<svg viewBox=\"0 0 40 40\""), "{text}");
        assert!(text.contains("<path") && text.contains("#ff0000"), "{text}");
        for word in
            ["script", "alert", "a.test", "passwd", "foreignObject", "onclick", "onload", "animate", "<style", "href"]
        {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }

    #[test]
    fn bombs_end() {
        let mut inner = "<g id='a0'><rect width='1' height='1'/></g>".to_owned();
        for at in 1..40 {
            let uses = format!("<use href='#a{}'/>", at - 1).repeat(10);
            inner += &format!("<g id='a{at}'>{uses}</g>");
        }
        assert!(Image::read("bomb.svg", svg(&inner)).is_err());
        let mut text = "<!DOCTYPE svg [<!ENTITY a0 'x'>".to_owned();
        for at in 1..40 {
            text += &format!("<!ENTITY a{at} '{}'>", format!("&a{};", at - 1).repeat(10));
        }
        text += "]><svg xmlns='http://www.w3.org/2000/svg'><g id='&a39;'/></svg>";
        assert!(Image::read("bomb.svg", text.into_bytes()).is_err());
        let deep = "<g>".repeat(50_000) + "<rect width='1' height='1'/>" + &"</g>".repeat(50_000);
        assert!(Image::read("deep.svg", svg(&deep)).is_err());
    }

    #[test]
    fn wrong_images_are_refused_with_the_reason() {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0".to_vec();
        assert_eq!(Image::read("a.png", png.clone()).unwrap().kind, "image/png");
        let reason = |name: &str, bytes: &[u8]| Image::read(name, bytes.to_vec()).unwrap_err();
        assert_eq!(reason("a.jpg", &png), "the content is not JPG");
        assert_eq!(reason("a.png", b"<svg/>"), "the content is not PNG");
        assert_eq!(reason("a.gif", b"GIF89a"), "the extension is not svg, png, jpg or webp");
        assert_eq!(reason("a.png", &png[..12]), "the image is damaged");
        png[18] = 0x7f;
        assert_eq!(reason("a.png", &png), "the image has 32528 x 16 pixels: use 1 to 4096");
        let nothing = "the SVG draws nothing: convert its texts to paths, and leave out scripts and links";
        assert_eq!(reason("a.svg", &svg("")), nothing);
        assert!(reason("a.svg", b"<svg").starts_with("the SVG cannot be drawn"));
        assert!(reason("a.svg", &svg("<rect width='1' height='1'/>")[1..]).starts_with("the SVG cannot be drawn"));
    }
}
