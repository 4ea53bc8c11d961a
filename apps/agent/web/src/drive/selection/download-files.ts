import type { DriveFound } from '@atoll/contract/personal-server'
import { fileAddress } from '../../api/server.ts'

/** Chromium drops what is begun in one go beyond the tenth download. ms */
const betweenMs = 150

/** Downloads the files one after another, each as itself; the browser may ask whether it should. */
export async function downloadFiles(files: readonly DriveFound[]): Promise<void> {
  for (const file of files) {
    const link = document.createElement('a')
    link.href = fileAddress(file.path)
    link.download = file.name
    link.click()
    await new Promise((resolve) => setTimeout(resolve, betweenMs))
  }
}
