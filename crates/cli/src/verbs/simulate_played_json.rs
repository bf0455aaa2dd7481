//! **What:** what `simulate` says of a schedule, as JSON.

use super::simulate_played::{Found, One, ports, word};
use kernel::Rational;
use serde_json::{Value, json};
use simulate::play::{Ended, Length};

impl Found<'_> {
    /// All that came out.
    pub(super) fn json(&self) -> Value {
        let settings = self.settings;
        let run = |one: &One| {
            let recorded = &one.recorded;
            let frames = &recorded.frames;
            let looks = || 0..frames.count();
            let deadlock = match &recorded.ended {
                Ended::Deadlock(deadlock) => json!({
                    "cycle": deadlock.cycle, "stuck": deadlock.stuck,
                    "circle": deadlock.circle.iter().map(|held| {
                        let (from, to) = self.ends(held.channel);
                        json!({"channel": self.prepared.parallel.base(held.channel).0, "from": from, "to": to, "vc": held.vc,
                               "source": held.packet.map(|p| p.source.0), "destination": held.packet.map(|p| p.destination.0)})
                    }).collect::<Vec<_>>(),
                }),
                _ => Value::Null,
            };
            json!({
                "name": one.name, "routing": one.routes, "root": one.root.map(|root| root.0), "ended": word(&recorded.ended), "cycles": recorded.cycles,
                "packets": recorded.packets, "arrived": recorded.arrived, "flits": recorded.flits,
                "blocked": recorded.blocked, "held_back": recorded.held_back, "latency": recorded.latency,
                "channel_use": recorded.use_of_channels(), "in_buffers": recorded.in_buffers(), "fullest": recorded.fullest,
                "step_ends": recorded.step_ends, "deadlock": deadlock,
                "carried": self.prepared.parallel.by_channel(&recorded.carried), "blocked_at": self.prepared.parallel.by_channel(&recorded.blocked_at),
                "over_time": {
                    "every": frames.every(),
                    "channel_use": looks().map(|look| frames.use_of_channels(look)).collect::<Vec<_>>(),
                    "in_buffers": looks().map(|look| frames.in_buffers(look)).collect::<Vec<_>>(),
                },
            })
        };
        let (message, flit) = match self.prepared.length {
            Length::Flits(flits) => (json!({"flits": flits}), Value::Null),
            Length::Bytes { message, flit, .. } => {
                let Rational { numerator, denominator } = message;
                let bytes =
                    if denominator == 1 { json!(numerator) } else { json!(format!("{numerator}/{denominator}")) };
                (json!({"bytes": bytes}), json!(flit))
            }
        };
        let in_time = self.prepared.in_time.map(|in_time| {
            let simulated = self.simulated_us(in_time);
            json!({
                "flit_bytes": in_time.flit, "cycle_us": in_time.cycle_us, "scheduled_us": in_time.scheduled_us,
                "simulated_us": simulated, "ratio": simulated.map(|simulated| simulated / in_time.scheduled_us),
            })
        });
        json!({
            "what": self.prepared.what, "network": self.prepared.network.name(), "steps": self.prepared.steps, "mode": self.mode().0,
            "message": message, "flit_bytes": flit, "predicted": self.predicted, "seed": self.seed, "in_time": in_time,
            "settings": {
                "virtual_channels": settings.virtual_channels, "buffer": settings.buffer,
                "routing_delay": settings.routing_delay, "vc_delay": settings.vc_delay,
                "allocation_delay": settings.allocation_delay, "switch_delay": settings.switch_delay,
                "channel_delay": settings.channel_delay, "credit_delay": settings.credit_delay,
                "injection_delay": settings.injection_delay, "ejection_delay": settings.ejection_delay,
                "interval": settings.interval, "merge_delay": settings.merge_delay, "injection": ports(settings.injection), "ejection": ports(settings.ejection),
            },
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
        })
    }
}
