/**
 * Vite plugin: has the page fetch its text face beside its code. Otherwise the browser learns of it when the first
 * text is laid out, lays it out in another face and then again, and asks the system for that other one in every size
 * and weight.
 */
import type { Plugin } from 'vite'

/** `name` of the font's source file. */
export function preloadFont(name: string): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.values(bundle).find((item) => item.type === 'asset' && item.names.includes(name))
        if (!font) throw new Error(`no file is made of ${name}`)
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font.fileName}` }
        // On a slow line the files that the page cannot be used without go first.
        return [{ tag: 'link', attrs: { ...attrs, fetchpriority: 'low' }, injectTo: 'head' }]
      },
    },
  }
}
