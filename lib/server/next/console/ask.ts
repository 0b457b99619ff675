// The answer to the search of the frame, which asks while one types: by a post, so that nothing that is pasted is part of an address.

import { readBody } from '../message'
import { type FoundObject, findObjects, MAX_WORDS } from './find'
import { type InspectedSent, inspectSent, MAX_SENT } from './inspect-sent'
import { consoleOf, troubleOf } from './page'
import { findSession } from './session'
import { UNCACHED } from './uncached'

export type FindAnswer = { objects: FoundObject[]; inspected: InspectedSent | null }

/** Bytes. Each character of a form may take three for each byte. */
const MAX_BODY = 4 * MAX_SENT

export async function serveFind(incoming: Request): Promise<Response> {
  const session = await findSession()
  if ('elsewhere' in session) return answer({ to: session.elsewhere }, 401)
  const body = await readBody(incoming, MAX_BODY + 1)
  if (body.length > MAX_BODY) return answer({}, 413)
  const text = new URLSearchParams(Buffer.from(body).toString('utf8')).get('text') ?? ''
  try {
    const console = await consoleOf(session)
    const inspected = await inspectSent(text, session.runtime)
    const objects = text.length <= MAX_WORDS && inspected === null ? await findObjects(text, console) : []
    return answer({ objects, inspected } satisfies FindAnswer, 200)
  } catch (error) {
    return answer({}, troubleOf(error).kind === 'invalid' ? 400 : 503)
  }
}

const answer = (value: object, status: number): Response =>
  Response.json(value, {
    status,
    headers: UNCACHED,
  })
