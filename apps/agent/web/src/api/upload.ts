/** One upload. XMLHttpRequest, because fetch does not report how much of a body was sent. */
import { ApiProblem, toProblem } from './call.ts'
import { type UploadOptions, uploadInParts } from './resumable-upload.ts'
import { fileAddress } from './server.ts'

/** @throws ApiProblem, or the signal's reason when aborted */
export function uploadFile(options: UploadOptions): Promise<void> {
  return options.file.size < largeFile ? uploadWhole(options) : uploadInParts(options)
}

/** From this size on a file is worth the two more requests of an upload that can go on after a cut. Bytes */
const largeFile = 8 * 1024 * 1024

function uploadWhole({ path, file, replace, signal, onProgress }: UploadOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', fileAddress(path))
    request.responseType = 'json'
    if (!replace) request.setRequestHeader('If-None-Match', '*')
    request.upload.onprogress = (event) => onProgress(event.loaded)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) return resolve()
      reject(toProblem(request.response))
    }
    request.onerror = () => reject(new ApiProblem('unreachable'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
