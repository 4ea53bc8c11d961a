import type { Page } from 'playwright-core'

/**
 * Finds the faults on paper of `page`, which is dark on the screen: it must be dark on white, with its heading and
 * without anything to press. It is on the dark screen again afterwards.
 * `print`: whether a PDF is made of it too.
 */
export async function findPaperFaults(page: Page, print: boolean): Promise<string[]> {
  await page.emulateMedia({ media: 'print' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor({ state: 'attached' })
  const faults: string[] = []
  const pressed = page.locator('button:visible, nav:visible, [role=tablist]:visible')
  if ((await pressed.count()) > 0) faults.push(`can be pressed: ${(await pressed.allTextContents()).join(', ')}`)
  const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  if (background !== 'rgb(255, 255, 255)') faults.push(`the background is ${background}`)
  const headings = await page.locator('main h1:visible').count()
  if (headings !== 1) faults.push(`${headings} headings`)
  const pdf = print ? await page.pdf({ format: 'A4' }) : undefined
  if (pdf && pdf.subarray(0, 5).toString() !== '%PDF-') faults.push('it cannot be printed')
  await page.emulateMedia({ media: 'screen' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
  return faults
}
