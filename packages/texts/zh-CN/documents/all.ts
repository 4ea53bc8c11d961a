import archive from './archive.json' with { type: 'json' }
import billing from './billing.json' with { type: 'json' }
import edge from './edge.json' with { type: 'json' }
import formula from './formula.json' with { type: 'json' }
import invoice from './invoice.json' with { type: 'json' }
import outbox from './outbox.json' with { type: 'json' }
import sandbox from './sandbox.json' with { type: 'json' }
import status from './status.json' with { type: 'json' }
import unsubscribe from './unsubscribe.json' with { type: 'json' }

export default {
  archive,
  billing,
  edge,
  formula,
  invoice,
  outbox,
  sandbox,
  status,
  unsubscribe,
}
