//! A law over the registries: under its canonical name, a network has closed forms as good as under the one it was given, or
//! the given name is among the others that are found.

use constructions::{Claim, Control, Request, applicable};
use identify::{Effort, identities};
use kernel::{Model, Network, Ports};
use topologies::{FAMILIES, change, parse};

/// The least steps of alltoall by constructions that nobody need name.
fn steps(network: &Network, model: Model) -> Option<usize> {
    let control = Control::new(0, &|| false);
    let request = Request::alltoall(network, model);
    let automatic = applicable(&request).filter(|(c, _)| c.is_automatic);
    let steps = automatic.filter_map(|(_, builder)| match builder.build(network, &control)? {
        Claim::Plain(schedule) => Some(schedule.step_count()),
        Claim::Product(form) => Some(form.step_count()),
        Claim::Orbits(claim) => claim.verified(network, model).ok().map(|verified| verified.steps()),
    });
    steps.min()
}

#[test]
fn the_names_that_are_found_have_the_best_closed_forms() {
    let more =
        ["torus:3x3", "torus:3x3x3", "torus:4x6", "torus:6x4", "torus:2x2x3", "torus:2x4x4", "kring:12;3,4", "ring:4"];
    let examples = FAMILIES.iter().flat_map(|f| f.examples.iter().copied()).filter(|s| !s.starts_with("amp"));
    let mut worse = Vec::new();
    for spec in examples.chain(more) {
        let network = parse(spec).unwrap();
        let found = identities(&network, Effort::default());
        let first = found[0].network();
        if first.name() == network.name() {
            continue;
        }
        let combining = Model { combining: true, ..Model::store_and_forward() };
        let one_port = |network| change::with_ports(network, Ports::Each(1)).unwrap();
        let is_worse = |(network, first): (&Network, &Network), model| {
            let given = steps(network, model);
            given.is_some() && steps(first, model).is_none_or(|steps| Some(steps) > given)
        };
        let all_port = [Model::wormhole(), Model::store_and_forward(), combining];
        if all_port.into_iter().any(|model| is_worse((&network, first), model))
            || is_worse((&one_port(&network), &one_port(first)), Model::store_and_forward())
        {
            assert!(found.iter().any(|i| i.spec() == network.name()), "{spec} is not found under its own name");
            worse.push(spec);
        }
    }
    assert_eq!(worse, ["utility", "hdn:hypercube:2;2", "hdn:torus:2x3;6", "hdn:mesh:2x3;3", "torus:2x2x3"]);
}
