//! Laws of the method `by-dimension`.

use kernel::{Collective, Model, Network, Problem};
use methods::ByDimension;
use run::{Method, Settings};
use testing::named::{grid, steps_with};
use testing::{hypercube, ring, solved, solved_with, torus};

fn sums(network: &Network, chunks: u32, model: Model) -> Problem {
    let all = Collective::allreduce(network.terminals()).in_chunks(chunks);
    Problem::new(network.clone(), all, model).expect("well posed")
}

/// Everybody exchanges what it has with a neighbour in each step, of every chunk along another dimension.
#[test]
fn as_many_chunks_as_dimensions_take_no_more_steps_than_one() {
    for d in 2..6u32 {
        for chunks in 1..=d {
            let problem = sums(&hypercube(d), chunks, Model::store_and_forward());
            assert_eq!(solved(&ByDimension, &problem, u64::from(d)).steps(), d as usize);
        }
        let problem = sums(&hypercube(d), d + 1, Model::store_and_forward());
        assert!(solved(&ByDimension, &problem, u64::from(d)).steps() <= 2 * d as usize);
    }
}

/// What the lines and rings keep apart stays apart in the product; what is found is verified on the way.
#[test]
fn products_keep_apart_what_their_factors_do() {
    let few = Settings { ticks: 300_000, ..Settings::default() };
    for network in [torus(3, 4), torus(5, 5), grid(3, 4, false), grid(5, 2, false)] {
        for combining in [false, true] {
            for chunks in [1, 2, 3] {
                for model in [Model::store_and_forward(), Model::wormhole()] {
                    solved_with(&ByDimension, &sums(&network, chunks, Model { combining, ..model }), 1, few);
                }
            }
        }
    }
}

#[test]
fn several_chunks_need_all_ports() {
    let network = hypercube(3);
    let ports = kernel::Ports::Each(1);
    let data = kernel::NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() };
    let one = Network::new(data).expect("sound");
    assert!(ByDimension.applies(&sums(&one, 1, Model::store_and_forward())));
    assert!(!ByDimension.applies(&sums(&one, 2, Model::store_and_forward())));
    // A network that is no product is none of its own.
    assert!(steps_with(&ByDimension, &sums(&ring(5), 1, Model::wormhole()), 1, Settings::default()).is_none());
}
