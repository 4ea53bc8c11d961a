import { type ComponentType, useEffect, useState } from 'react'

/** The tips of a front end, fetched when somebody first moves or presses: until then nobody points at a button. */
export function LateTips() {
  const [loaded, setLoaded] = useState<{ Tips: ComponentType }>()
  // At once: a translator may begin as soon as there are words.
  useEffect(
    () =>
      void import('./page-translator.ts').then(
        (module) => module.surviveTranslators(),
        () => undefined,
      ),
    [],
  )
  useEffect(() => {
    const load = () => {
      // Without them every button still has its name.
      import('./Tips.tsx').then(setLoaded, () => undefined)
    }
    // A finger that taps does not move.
    const hints = ['pointermove', 'pointerdown', 'keydown'] as const
    for (const hint of hints) addEventListener(hint, load, { once: true })
    return () => {
      for (const hint of hints) removeEventListener(hint, load)
    }
  }, [])
  return loaded && <loaded.Tips />
}
