/** Texts of the sandbox's pages, which the server writes itself. */
import type { Locale } from '@atoll/contract/wire'
import type { CardFault, CardField } from './card-form.ts'

interface SandboxTexts {
  mark: string
  markNote: string
  cardTitle: string
  cardLead: string
  fields: Record<CardField, string>
  faults: Record<CardFault, string>
  save: string
  numbersTitle: string
  /** In the order of `testNumbers`. */
  numbers: readonly string[]
  confirmTitle: string
  confirmLead: string
  amount: string
  payee: string
  what: string
  card: string
  confirm: string
  refuse: string
  endedTitle: string
  endedLead: string
  back: string
}

export const sandboxTexts: Record<Locale, SandboxTexts> = {
  'en-US': {
    mark: 'Sandbox',
    markNote: 'This is a test page. No real card works here, and no money moves.',
    cardTitle: 'Add a card',
    cardLead: 'Choose one of the test numbers below. Any later date and any three digits do.',
    fields: { number: 'Card number', expiry: 'Expiry (MM/YY)', cvc: 'Security code (CVC)' },
    faults: {
      numberMissing: 'Enter a card number.',
      numberWrong: 'This is not a card number. Check its digits.',
      numberReal: 'This is none of the test numbers. Never enter a real card here.',
      expiryWrong: 'Enter the month and the year, such as 12/30.',
      expiryPast: 'This date is in the past.',
      cvcWrong: 'Enter three digits.',
    },
    save: 'Save card',
    numbersTitle: 'Test numbers',
    numbers: [
      'Pays',
      'Pays (Mastercard)',
      'Is declined at once',
      'Has no funds',
      'Has expired',
      'Can be saved, then declines each payment',
      'Asks you to confirm each payment',
    ],
    confirmTitle: 'Confirm this payment',
    confirmLead: 'Your bank would ask you here whether this payment is yours.',
    amount: 'Amount',
    payee: 'To',
    what: 'For',
    card: 'Card',
    confirm: 'Confirm payment',
    refuse: 'Refuse',
    endedTitle: 'This page is no longer in use',
    endedLead: 'It was answered before, canceled, or its time has passed.',
    back: 'Back',
  },
  'zh-CN': {
    mark: '沙盒',
    markNote: '这是测试页面，真实的卡在此无效，也不会产生任何资金往来。',
    cardTitle: '添加银行卡',
    cardLead: '请使用下方的测试卡号，有效期填任意未来日期，安全码填任意三位数字。',
    fields: { number: '卡号', expiry: '有效期（月/年）', cvc: '安全码（CVC）' },
    faults: {
      numberMissing: '请输入卡号。',
      numberWrong: '卡号不正确，请检查各位数字。',
      numberReal: '这不是测试卡号。请勿在此输入真实卡号。',
      expiryWrong: '请输入月份和年份，例如 12/30。',
      expiryPast: '这个日期已过。',
      cvcWrong: '请输入三位数字。',
    },
    save: '保存银行卡',
    numbersTitle: '测试卡号',
    numbers: [
      '付款成功',
      '付款成功（万事达）',
      '直接被拒绝',
      '余额不足',
      '已过期',
      '可以保存，但每次付款都被拒绝',
      '每次付款都要求确认',
    ],
    confirmTitle: '确认付款',
    confirmLead: '银行会在这一步询问这笔付款是否由你本人发起。',
    amount: '金额',
    payee: '收款方',
    what: '用途',
    card: '银行卡',
    confirm: '确认付款',
    refuse: '拒绝',
    endedTitle: '此页面已失效',
    endedLead: '它可能已处理、已取消或已超时。',
    back: '返回',
  },
}
