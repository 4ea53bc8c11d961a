/** Sentences of the audit log about cards, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

export const paymentsAuditWords = {
  kinds: { card: words('Cards', '银行卡') },
  sentences: {
    'card.add': words('Added the card[ {name}]', '添加了银行卡[ {name}]'),
    'card.replace': words('Replaced a card[ with {name}]', '更换了银行卡[ {name}]'),
    'card.remove': words('Removed the card[ {name}]', '移除了银行卡[ {name}]'),
    'card.setDefault': words('Made a card the default[: {name}]', '设为默认银行卡[：{name}]'),
  },
  facts: {
    cardBrand: words('Card brand', '卡品牌'),
    cardLast4: words('Last digits', '卡号末四位'),
    cardExpiry: words('Expiry', '有效期'),
  },
  values: {},
} as const satisfies AuditWords
