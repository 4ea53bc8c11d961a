/** A dialog in which something was typed asks before Escape or a press beside it throws it away. */
import { expect, it } from 'vitest'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleStates } from '../stack/states/console-states.ts'

const { openPage } = shareConsole()

/** Opens the dialog of a state of the console. */
async function openDialog(name: string) {
  const state = consoleStates.find((candidate) => candidate.name === name)
  if (!state?.open) throw new Error(`there is no dialog '${name}'`)
  const tab = await openPage(state.path)
  await state.open(tab)
  const dialog = tab.page.getByRole('dialog')
  return { ...tab, dialog, field: dialog.locator('input:visible').first() }
}

it.each(['new backup', 'renaming', 'handing a domain on', 'changing a backup password'])(
  '%s asks with what was typed, keeps it, or lets it go',
  async (name) => {
    const { page, app, dialog, field } = await openDialog(name)
    const focused = page.locator('*:focus')
    const keep = app.t('dialog.discardKeep')
    await field.fill('Lagoon')
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(2, 2)]) {
      await leave()
      await page.getByRole('dialog', { name: app.t('dialog.discardTitle'), exact: true }).waitFor()
      await expect.poll(() => focused.textContent()).toBe(keep)
      expect(await dialog.locator('input:visible').count()).toBe(0)
      await app.button(keep).click()
      await expect.poll(() => focused.inputValue()).toBe('Lagoon')
    }
    // Escape answers the question as the safe answer does.
    await page.keyboard.press('Escape')
    await app.button(keep).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused.inputValue()).toBe('Lagoon')
    await page.keyboard.press('Escape')
    await app.button(app.t('dialog.discardDo')).click()
    await dialog.waitFor({ state: 'hidden' })
  },
)

it('a dialog whose text is as it was closes at once', async () => {
  const { page, dialog, field } = await openDialog('renaming')
  const before = await field.inputValue()
  await field.fill('Lagoon')
  await field.fill(before)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})
