# What lifecycle.episodes takes from a ledger, as jq computes it: jq -n -f bench/episodes.jq .ai/local/state/ledger.jsonl
reduce inputs as $line ({};
  if ($line.session // "") == "" then . else
    .[$line.session] |= (
      (. // {events: 0, started: 0, closed: 0, tasks: [], last_activity: "", last_event: ""})
      | .events += 1
      | if $line.event == "session.started" then .started += 1
        elif $line.event == "session.closed" then .closed += 1 else . end
      | if $line.task_id and (.tasks | index([$line.task_id])) == null then .tasks += [$line.task_id] else . end
      | if ($line.ts // "") >= .last_activity then .last_activity = $line.ts | .last_event = $line.event else . end)
  end)
