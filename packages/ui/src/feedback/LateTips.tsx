import { type ComponentType, useEffect, useState } from 'react'

/** The tips of a front end, fetched after its first page is drawn: nobody points at a button before. */
export function LateTips() {
  const [loaded, setLoaded] = useState<{ Tips: ComponentType }>()
  useEffect(() => {
    // Without them every button still has its name.
    import('./Tips.tsx').then(setLoaded, () => undefined)
  }, [])
  return loaded && <loaded.Tips />
}
