import { safeResource } from './safe-url'

type Props = {
  src: string | undefined
  className: string
  width?: number
  height: number
  /** What comfort.js draws in its place if it does not load. */
  initial?: string | undefined
}

/** A decorative picture from a configuration or a profile; text beside it states the same. */
export function Picture({ src, className, width, height, initial }: Props) {
  const safe = safeResource(src)
  if (!safe) return null
  return (
    // biome-ignore lint/performance/noImgElement: these pages are rendered without Next, so there is no image optimiser.
    <img
      className={className}
      src={safe}
      alt=""
      width={width}
      height={height}
      referrerPolicy="no-referrer"
      data-initial={initial}
    />
  )
}
