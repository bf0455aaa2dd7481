//! The header in `include` is what cbindgen makes of the source.

use std::path::Path;

#[test]
fn the_header_is_what_the_source_says() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    let made = cbindgen::Builder::new().with_src(here.join("src/border.rs")).with_config(config).generate().unwrap();
    let mut text = Vec::new();
    made.write(&mut text);
    let (made, file) = (String::from_utf8(text).unwrap(), here.join("include/quadrille.h"));
    if std::env::var_os("QUADRILLE_WRITE_HEADER").is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == made, "QUADRILLE_WRITE_HEADER=1 cargo test -p quadrille-capi --test header makes it anew");
}
