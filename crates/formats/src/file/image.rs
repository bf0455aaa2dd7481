//! **What:** pictures as PNG and PDF: what is drawn as SVG, turned into what word processors, slides and LaTeX take.
//!
//! **Facts:** a PNG is 1920 pixels wide, as a slide is, unless it would be higher than wide by so much that [`MOST_PIXELS`] are not enough; a PDF is
//! as wide as a column of a paper, 252 points, or as much wider as gives its smallest letters 6 points. The font is in the program, so a picture is the same on every machine.
//!
//! **Source:** the libraries `resvg` and `svg2pdf`, fonts of the DejaVu project.

use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref};
use std::collections::HashMap;
use std::io::{Error, Result};
use std::path::Path;
use std::sync::Arc;
use svg2pdf::ConversionOptions;
use svg2pdf::usvg::fontdb::Database;
use svg2pdf::usvg::{Options, Tree};

/// The width of a PNG, in pixels.
const SLIDE: f32 = 1920.0;

/// The least width of a PDF, in points of 1/72 inch.
const COLUMN: f32 = 252.0;

/// The least size of letters in a PDF, in points.
const LEAST: f32 = 6.0;

/// Most pixels of a PNG: 256 MB in memory.
const MOST_PIXELS: f32 = (1u32 << 26) as f32;

/// What a picture is turned into.
#[derive(Clone, Copy, Debug)]
pub(super) enum Image {
    Png,
    Pdf,
}

impl Image {
    /// By the ending of the file's name, if it is one.
    pub(super) fn of(path: &Path) -> Option<Image> {
        let ending = path.extension()?;
        let is = |name: &str| ending.eq_ignore_ascii_case(name);
        is("png").then_some(Image::Png).or_else(|| is("pdf").then_some(Image::Pdf))
    }

    /// The image of an SVG.
    ///
    /// # Errors
    /// Where the text is no SVG of a size that can be drawn.
    pub(super) fn made(self, svg: &[u8]) -> Result<Vec<u8>> {
        match self {
            Image::Png => png(&tree(svg)?),
            Image::Pdf => pdf(&[svg]),
        }
    }
}

/// What an SVG draws.
fn tree(svg: &[u8]) -> Result<Tree> {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let options = Options { font_family: "DejaVu Sans".into(), fontdb: Arc::new(fonts), ..Options::default() };
    Tree::from_data(svg, &options).map_err(Error::other)
}

/// A PDF of several pages, an SVG each.
///
/// # Errors
/// Where a text is no SVG of a size that can be drawn.
pub(super) fn pdf(pages: &[impl AsRef<[u8]>]) -> Result<Vec<u8>> {
    let mut last = Ref::new(1);
    let (catalog, all) = (last.bump(), last.bump());
    let (mut pdf, mut kids) = (Pdf::new(), Vec::new());
    for svg in pages {
        let tree = tree(svg.as_ref())?;
        let width = width_of_print(svg.as_ref(), tree.size().width());
        let height = width * tree.size().height() / tree.size().width();
        let made = svg2pdf::to_chunk(&tree, ConversionOptions::default());
        let (chunk, picture) = made.map_err(|error| Error::other(error.to_string()))?;
        // Each picture counts its parts from 1.
        let mut numbers = HashMap::new();
        let chunk = chunk.renumber(|old| *numbers.entry(old).or_insert_with(|| last.bump()));
        pdf.extend(&chunk);
        let (name, page, drawn) = (Name(b"Picture"), last.bump(), last.bump());
        kids.push(page);
        let mut content = Content::new();
        content.transform([width, 0.0, 0.0, height, 0.0, 0.0]);
        content.x_object(name);
        pdf.stream(drawn, &content.finish());
        let mut page = pdf.page(page);
        page.media_box(Rect::new(0.0, 0.0, width, height)).parent(all).contents(drawn);
        page.resources().x_objects().pair(name, numbers[&picture]);
        page.finish();
    }
    pdf.catalog(catalog).pages(all);
    let count = i32::try_from(kids.len()).map_err(|_| Error::other("too many pages for a PDF"))?;
    pdf.pages(all).count(count).kids(kids);
    Ok(pdf.finish())
}

/// The width of a page for an SVG of a width, at which its smallest letters can be read.
fn width_of_print(svg: &[u8], width: f32) -> f32 {
    let text = String::from_utf8_lossy(svg);
    let size = |rest: &str| rest.split('"').next().and_then(|size| size.parse::<f32>().ok());
    let smallest = text.split(" font-size=\"").skip(1).filter_map(size).fold(f32::MAX, f32::min);
    COLUMN.max(width * LEAST / smallest.max(1.0))
}

fn png(tree: &Tree) -> Result<Vec<u8>> {
    use resvg::tiny_skia::{Pixmap, Transform};
    let size = tree.size();
    let most = (MOST_PIXELS / (size.width() * size.height())).sqrt();
    let scale = (SLIDE / size.width()).min(most);
    let whole = |length: f32| (length * scale).round().max(1.0) as u32;
    let mut pixels = Pixmap::new(whole(size.width()), whole(size.height()))
        .ok_or_else(|| Error::other("the picture is too large for a PNG"))?;
    resvg::render(tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(Error::other)
}
