import type { Locale } from '@atoll/contract/wire'
import { ink, type TextStyle } from './sheet.ts'

export interface InvoiceStyles {
  title: TextStyle
  brand: TextStyle
  body: TextStyle
  strong: TextStyle
  second: TextStyle
  label: TextStyle
  small: TextStyle
  total: TextStyle
  /** Amounts. */
  figure: TextStyle
  strongFigure: TextStyle
}

/** The type of the design language, three quarters of a point for its pixel; Chinese lines stand wider apart. */
export function invoiceStyles(locale: Locale): InvoiceStyles {
  const more = locale === 'zh-CN' ? 1.5 : 0
  const body: TextStyle = { size: 9.5, leading: 13.5 + more, weight: 'regular', color: ink.black }
  const strong: TextStyle = { ...body, weight: 'strong' }
  return {
    title: { size: 19.5, leading: 24, weight: 'strong', color: ink.black },
    brand: { size: 13.5, leading: 20, weight: 'strong', color: ink.black },
    body,
    strong,
    second: { ...body, color: ink.second },
    label: { ...body, color: ink.third },
    small: { size: 8.6, leading: 12 + more, weight: 'regular', color: ink.third },
    total: { size: 12, leading: 17 + more, weight: 'strong', color: ink.black, figures: true },
    figure: { ...body, figures: true },
    strongFigure: { ...strong, figures: true },
  }
}
