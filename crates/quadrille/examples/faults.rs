//! What a broken link costs: allgather on a mesh, whole and with each link of a corner taken out.

use quadrille::{Collective, Model, Network, Node, Problem, Settings, topologies};

fn steps(network: Network) -> Result<String, Box<dyn std::error::Error>> {
    let allgather = Collective::allgather(network.terminals(), network.terminals());
    let problem = Problem::new(network, allgather, Model::wormhole())?;
    Ok(quadrille::solve(&problem, &Settings::default().with_ticks(2_000_000))?.to_string())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = quadrille::network("mesh:3x4")?;
    println!("{}", steps(mesh.clone())?);
    for to in [1, 4] {
        println!("{}", steps(topologies::change::without_link(&mesh, Node(0), Node(to), false)?)?);
    }
    Ok(())
}
