//! **What:** what `simulate` says as JSON.

use super::simulate_report::{Answer, Answered, Found, QUANTILES};
use serde_json::{Value, json};
use simulate::{Held, Histogram, Point, Saturation};

impl Found<'_> {
    /// What is the same whatever came out.
    pub(super) fn common(&self, routes: &str) -> Value {
        let network = self.network;
        json!({
            "network": network.name(), "terminals": network.terminals().len(), "channels": network.channel_count(),
            "routing": routes, "virtual_channels": self.settings.virtual_channels, "buffer": self.settings.buffer,
            "seed": self.settings.seed,
        })
    }

    /// All that came out of one routing.
    pub(super) fn json(&self, Answered { routes, root, answer }: &Answered) -> Value {
        let network = self.network;
        let mut value = self.common(routes);
        let Value::Object(map) = &mut value else { return value };
        map.insert("root".into(), json!(root.map(|root| root.0)));
        match answer {
            Answer::Point(point) => {
                map.insert("point".into(), point_json(point));
                map.insert("loads".into(), json!(point.loads));
            }
            Answer::Curve { points, saturation, is_whole } => {
                map.insert("points".into(), points.iter().map(point_json).collect());
                map.insert("saturation".into(), saturation_json(*saturation));
                map.insert("complete".into(), json!(is_whole));
            }
            Answer::Saturation { points, saturation } => {
                map.insert("saturation".into(), saturation_json(*saturation));
                let zero = points.first().and_then(|point| point.latency.as_ref()).map(|latency| latency.mean.mean);
                map.insert("zero_load_latency".into(), json!(zero));
            }
            Answer::Trace(traced) => {
                let (sum, spread) = traced.spread();
                map.insert("packets".into(), json!(sum.count));
                map.insert("cycles".into(), json!(traced.last));
                map.insert(
                    "latency".into(),
                    json!({"mean": sum.mean(), "quantiles": quantiles(&spread), "most": spread.most()}),
                );
                map.insert("blocked".into(), json!(traced.blocked));
                map.insert("carried".into(), json!(traced.carried));
            }
            Answer::Deadlock { deadlock, rate } => {
                let held = |held: &Held| {
                    json!({
                        "channel": held.channel.0, "from": network.from(held.channel).0, "to": network.to(held.channel).0,
                        "vc": held.vc, "source": held.packet.map(|ends| ends.source.0),
                        "destination": held.packet.map(|ends| ends.destination.0),
                    })
                };
                let circle: Vec<Value> = deadlock.circle.iter().map(held).collect();
                map.insert(
                    "deadlock".into(),
                    json!({"cycle": deadlock.cycle, "rate": rate, "stuck": deadlock.stuck, "circle": circle}),
                );
            }
        }
        value
    }
}

fn quantiles(spread: &Histogram) -> Value {
    QUANTILES
        .iter()
        .map(|(name, share)| ((*name).to_owned(), json!(spread.quantile(*share))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn point_json(point: &Point) -> Value {
    let latency = point.latency.as_ref().map(|latency| {
        json!({
            "mean": latency.mean.mean, "half_interval_95": latency.mean.half, "network": latency.network,
            "quantiles": quantiles(&latency.spread), "most": latency.spread.most(), "packets": latency.spread.count(),
        })
    });
    json!({
        "rate": point.rate, "offered": point.offered, "accepted": point.accepted, "saturated": point.is_saturated,
        "latency": latency, "hops": point.hops, "blocked": point.blocked, "cycles": point.cycles, "warm_up_windows": point.warm,
        "held_up": point.held_up, "slowest": point.slowest.map(|slowest| json!({
            "node": slowest.node.0, "offered": slowest.offered, "accepted": slowest.accepted,
        })),
        "most_load": point.loads.iter().copied().fold(0.0, f64::max),
    })
}

fn saturation_json(saturation: Option<Saturation>) -> Value {
    json!(saturation.map(|saturation| json!({"carried": saturation.carried, "refused": saturation.refused})))
}
