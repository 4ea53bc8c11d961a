import account from './account.json' with { type: 'json' }
import alert from './alert.json' with { type: 'json' }
import announcement from './announcement.json' with { type: 'json' }
import backup from './backup.json' with { type: 'json' }
import billing from './billing.json' with { type: 'json' }
import domain from './domain.json' with { type: 'json' }
import drain from './drain.json' with { type: 'json' }
import emailCode from './email-code.json' with { type: 'json' }
import emailUnlinked from './email-unlinked.json' with { type: 'json' }
import frame from './frame.json' with { type: 'json' }
import staff from './staff.json' with { type: 'json' }
import staffMessage from './staff-message.json' with { type: 'json' }
import suspended from './suspended.json' with { type: 'json' }

export default {
  frame,
  account,
  alert,
  announcement,
  backup,
  billing,
  domain,
  drain,
  emailCode,
  emailUnlinked,
  staff,
  staffMessage,
  suspended,
}
