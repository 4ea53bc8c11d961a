/**
 * Kinds of due items. Items due at the same moment run in the order of these names: an order lapses before a renewal.
 */
export const dueKinds = {
  /** Of an order that was not paid at once, by its invoice: at its `valid_until`. */
  orderLapse: 'order.lapse',
  /** Of a grant: when it expires, and again when some of it came back after that. */
  promoExpiry: 'promo.expire',
  /** Of a subscription: when its period ends. */
  renewal: 'renewal',
  /** Of a renewal's invoice: the next of its tries, and the verdict after the last. */
  renewalTry: 'renewal.try',
  /** Of the same: one more try, when a new card or credit came. */
  renewalTryNow: 'renewal.tryNow',
  /** Of the same: when its days of grace are over. */
  graceOver: 'renewal.graceOver',
  /** Of a plan's usage, by its subscription and the start of the period: when that is over. */
  usage: 'usage',
  /** Of a plan's usage that is not billed yet, by its subscription: when it has come to what its means cover. */
  usageLimit: 'usage.limit',
  /** Of a plan's usage, as `usage`: when what was billed of the period is corrected for the last time. */
  usageCorrection: 'usage.correction',
  /** Mails before one of these, by the same object: some hours before an order lapses, days before the others. */
  lapseMail: 'order.lapseMail',
  renewalMail: 'renewal.mail',
  graceMail: 'renewal.graceMail',
} as const

const hourMs = 60 * 60_000
/** So long before an order lapses, and before a renewal, a mail says so. ms */
export const lapseMailMs = 4 * hourMs
export const renewalMailMs = 3 * 24 * hourMs
/** Days before the end of the days of grace on which a mail says so. */
export const graceMailDays = [7, 1] as const
