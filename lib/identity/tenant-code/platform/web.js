// The interfaces of the web.
import * as streams from 'web-streams-polyfill'
import { abort } from './abort.js'
import { blob } from './blob.js'
import { bodies } from './body.js'
import { DOMException } from './dom-exception.js'
import { encoding } from './encoding.js'
import { CustomEvent, Event, EventTarget } from './events.js'
import { fetching } from './fetch.js'
import { formData } from './form-data.js'
import { intl } from './intl.js'
import { multipartReader } from './multipart.js'
import { performance } from './performance.js'
import { structuredClone } from './structured-clone.js'
import { url } from './url.js'

export function web(sys) {
  const { ReadableStream } = streams
  const events = { CustomEvent, DOMException, Event, EventTarget, ...abort(sys) }
  const text = encoding(sys)
  const addresses = url(sys, text)
  const { globals: files, contentOf } = blob({ ...text, ReadableStream })
  const { FormData, multipart } = formData({ ...files, ...text, contentOf })
  const readMultipart = multipartReader(sys, { ...files, ...text, FormData })
  const kinds = { ...files, ...text, ...addresses, FormData, ReadableStream }
  const fetched = fetching(sys, {
    ...events,
    ...addresses,
    bodies: bodies({ ...kinds, contentOf, multipart, readMultipart }),
  })
  return {
    ...streams,
    ...events,
    ...kinds,
    ...fetched,
    ...intl(sys),
    ...performance(),
    structuredClone,
  }
}
