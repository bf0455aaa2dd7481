//! **What:** writes an algorithm as MSCCL XML.

use super::Algorithm;
use std::fmt::Write;

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The file.
#[must_use]
pub fn text(of: &Algorithm) -> String {
    let mut out = String::new();
    let peer = |peer: Option<u32>| peer.map_or("-1".to_owned(), |peer| peer.to_string());
    let (least, most) = of.bytes.unwrap_or((0, u64::from(u32::MAX)));
    let outside = u8::from(of.out_of_place.unwrap_or(!of.in_place));
    let mut line = |indent: usize, text: String| writeln!(out, "{:indent$}{text}", "").expect("strings take all");
    line(
        0,
        format!(
            r#"<algo name="{}" proto="{}" nchannels="{}" nchunksperloop="{}" ngpus="{}" coll="{}" inplace="{}" outofplace="{outside}" minBytes="{least}" maxBytes="{most}">"#,
            escaped(&of.name),
            escaped(&of.protocol),
            of.channels,
            of.chunks,
            of.ranks,
            escaped(&of.collective),
            u8::from(of.in_place)
        ),
    );
    for gpu in &of.gpus {
        let [input, output, scratch] = gpu.sizes;
        line(2, format!(r#"<gpu id="{}" i_chunks="{input}" o_chunks="{output}" s_chunks="{scratch}">"#, gpu.id));
        for block in &gpu.blocks {
            let (send, receive) = (peer(block.send), peer(block.receive));
            line(4, format!(r#"<tb id="{}" send="{send}" recv="{receive}" chan="{}">"#, block.id, block.channel));
            for (number, step) in block.steps.iter().enumerate() {
                let after = step.after.map(|(block, step)| (i64::from(block), i64::from(step)));
                let (block, on) = after.unwrap_or((-1, -1));
                let ((from, source), (to, target)) = (step.source, step.target);
                line(
                    6,
                    format!(
                        r#"<step s="{number}" type="{}" srcbuf="{}" srcoff="{source}" dstbuf="{}" dstoff="{target}" cnt="{}" depid="{block}" deps="{on}" hasdep="{}"/>"#,
                        step.kind.word,
                        from.letter(),
                        to.letter(),
                        step.count,
                        u8::from(step.awaited)
                    ),
                );
            }
            line(4, "</tb>".to_owned());
        }
        line(2, "</gpu>".to_owned());
    }
    line(0, "</algo>".to_owned());
    out
}
