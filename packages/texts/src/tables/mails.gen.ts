// Made by scripts/checks/text-tables.ts.
import texts0 from '../../en-US/mail/all.ts'
import texts1 from '../../zh-CN/mail/all.ts'

export default { 'en-US': texts0, 'zh-CN': texts1 }
