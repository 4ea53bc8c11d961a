import { paidInvoice } from '../../apps/server/src/modules/billing/invoice-files/invoice-document.fixture.ts'
import { renderInvoicePdf } from '../../apps/server/src/modules/billing/invoice-files/invoice-pdf.ts'
import { median, type Ratio } from '../figures.ts'

const rounds = 30

/** Time to render an invoice in Chinese, whose fonts are cut to its glyphs, ÷ the same one in English. */
export async function measureInvoicePdf(): Promise<Ratio> {
  const invoice = paidInvoice()
  const took = { 'en-US': [] as number[], 'zh-CN': [] as number[] }
  // The first of each loads its fonts.
  for (let round = -1; round < rounds; round += 1) {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const begun = performance.now()
      await renderInvoicePdf(invoice, locale)
      if (round >= 0) took[locale].push(performance.now() - begun)
    }
  }
  const [en, zh] = [median(took['en-US']), median(took['zh-CN'])]
  return {
    name: 'Chinese invoice as PDF ÷ English',
    value: zh / en,
    target: { atMost: 2 },
    from: `${zh.toFixed(1)} ms, ${en.toFixed(1)} ms, ${rounds} of each`,
  }
}
