/** `npm run image:build`: the image that instances on LXD are made from; `--force` builds it in any case. */
import { ensureGuestImage, imageFolder } from './building/guest-image.ts'

const fingerprint = await ensureGuestImage({ force: process.argv.includes('--force') })
process.stdout.write(`${imageFolder}\nsha256:${fingerprint}\n`)
