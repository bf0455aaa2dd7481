//! A network of one's own: links, one port a node, and every transfer of a broadcast.

use quadrille::{Collective, Model, Network, Node, Problem, Settings, kernel, topologies};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 0), (0, 4), (2, 6)];
    let chip = Network::from_links(8, links)?;
    let chip = topologies::change::with_ports(&chip, kernel::Ports::Each(1))?;
    let broadcast = Collective::broadcast(Node(0), chip.terminals());
    let outcome = quadrille::solve(&Problem::new(chip, broadcast, Model::wormhole())?, &Settings::default())?;
    println!("{outcome}");
    for sent in outcome.transfers() {
        println!("  step {}: node {} to node {} over {} channels", sent.step, sent.from, sent.to, sent.path.len() - 1);
    }
    Ok(())
}
