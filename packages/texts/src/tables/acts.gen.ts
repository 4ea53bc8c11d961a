// Made by scripts/checks/text-tables.ts.
import texts0 from '../../en-US/shared/acts.json' with { type: 'json' }
import texts1 from '../../zh-CN/shared/acts.json' with { type: 'json' }

export default { 'en-US': texts0, 'zh-CN': texts1 }
