import app from './app.json' with { type: 'json' }
import credentials from './credentials.json' with { type: 'json' }
import domains from './domains.json' with { type: 'json' }
import move from './move.json' with { type: 'json' }
import setup from './setup.json' with { type: 'json' }
import signing from './signing.json' with { type: 'json' }

export default {
  ...app,
  ...credentials,
  ...domains,
  ...move,
  ...setup,
  ...signing,
}
