// Opens the threads that read XML of other parties. None starts before the first message.
import { join } from 'node:path'
import { openXmlThreads, type XmlThreads } from '../../crypto/saml/xml-reader'

const THREADS = 2
/** The longest queue of documents, which is over within seconds even where every one is as costly as limits.ts permits. */
const WAITING = 200
/** A document within limits.ts takes some tens of milliseconds; the rest is for a machine with too much to do. */
const MAX_MS = 2000

export const xmlThreadIn = (root: string): string => join(root, 'dist', 'xml-thread.mjs')

export const openXml = (root: string): XmlThreads =>
  openXmlThreads({ file: xmlThreadIn(root), threads: THREADS, queueLimit: WAITING, milliseconds: MAX_MS })
