// Made by scripts/checks/text-tables.ts.
import texts0 from '../../en-US/documents/all.ts'
import texts1 from '../../zh-CN/documents/all.ts'

export default { 'en-US': texts0, 'zh-CN': texts1 }
