import app from './app.json' with { type: 'json' }
import backups from './backups.json' with { type: 'json' }
import drive from './drive.json' with { type: 'json' }
import sessions from './sessions.json' with { type: 'json' }
import setup from './setup.json' with { type: 'json' }

export default {
  ...app,
  ...backups,
  ...drive,
  ...sessions,
  ...setup,
}
