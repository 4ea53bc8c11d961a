/** Validates each field of the sandbox's card page. Numbers and codes are not kept beyond this call. */
import { type TestNumber, testNumbers } from './test-numbers.ts'

export const cardFields = ['number', 'expiry', 'cvc'] as const
export type CardField = (typeof cardFields)[number]
/** Keys in `sandbox.json` of the documents’ texts. */
export type CardFault = 'numberMissing' | 'numberWrong' | 'numberReal' | 'expiryWrong' | 'expiryPast' | 'cvcWrong'

export interface EnteredCard {
  test: TestNumber
  last4: string
  expMonth: number
  expYear: number
}

type Entered = { card: EnteredCard } | { faults: Partial<Record<CardField, CardFault>> }

/** Reads a form. A number that no test number is, however right, is refused: it may be a real one. */
export function readCardForm(form: Readonly<Record<string, unknown>>, now: Date): Entered {
  const text = (field: CardField) => (typeof form[field] === 'string' ? form[field].replaceAll(/[\s-]/g, '') : '')
  const [number, cvc] = [text('number'), text('cvc')]
  const expiry = readExpiry(text('expiry'))
  const test = testNumbers.find((one) => one.number === number)
  const faults: Partial<Record<CardField, CardFault>> = {
    ...(!test && { number: numberFault(number) }),
    ...(!expiry ? { expiry: 'expiryWrong' } : isPast(expiry, now) && { expiry: 'expiryPast' }),
    ...(!/^\d{3}$/.test(cvc) && { cvc: 'cvcWrong' }),
  }
  if (!test || !expiry || Object.keys(faults).length > 0) return { faults }
  return { card: { test, last4: number.slice(-4), expMonth: expiry.month, expYear: expiry.year } }
}

function numberFault(number: string): CardFault {
  if (number === '') return 'numberMissing'
  return /^\d{12,19}$/.test(number) && passesLuhn(number) ? 'numberReal' : 'numberWrong'
}

/** The check digit of ISO/IEC 7812: every second digit from the right is doubled. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** `MM/YY`, `MMYY` or `MM/YYYY`. */
function readExpiry(text: string): { month: number; year: number } | undefined {
  const [, month = '', year = ''] = /^(0?[1-9]|1[0-2])\/?(\d{2}|20\d{2})$/.exec(text) ?? []
  if (month === '') return undefined
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) }
}

/** A card is good until the end of its month. */
export function isPast({ month, year }: { month: number; year: number }, now: Date): boolean {
  return now.getTime() >= Date.UTC(year, month, 1)
}
