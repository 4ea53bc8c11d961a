/** Step `fetch`: the release of the personal server is here, whole and unchanged. It comes with the agent. */
import type { Step } from '../../drive/install-step.ts'
import { firstDifference, hashRelease, readReleaseManifest, webFolder } from '../release.ts'

export const fetchRelease: Step = async ({ version, signal, say }) => {
  say('fetch', `release ${version}`)
  const found = await hashRelease(webFolder, signal)
  if (!found) {
    // The drive works without its pages, through the API; `/` then says so.
    say('fetch', 'no web pages come with this agent; a plain page takes their place')
    return
  }
  const count = Object.keys(found.files).length
  const expected = await readReleaseManifest(webFolder)
  if (!expected) {
    say('fetch', `${count} files read; this build has no manifest to compare with`)
    return
  }
  const path = firstDifference(expected, found)
  if (path !== undefined)
    throw new Error(`The release is damaged: ${path} is not what was built. Install the agent again, and retry.`)
  say('fetch', `${count} files match their SHA-256`)
}
