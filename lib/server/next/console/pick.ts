// What a control finds while a person types the name of an object: by a post, so that no name is part of an address.

import { readBody } from '../message'
import { type PickedObject, pickObjects } from './find'
import { consoleOf, troubleOf } from './page'
import { isSearchedKind } from './references'
import { findSession } from './session'
import { UNCACHED } from './uncached'

/** Bytes. */
const MAX_BODY = 4096

export type PickAnswer = { objects: PickedObject[] }

export async function servePick(incoming: Request): Promise<Response> {
  const session = await findSession()
  if ('elsewhere' in session) return answer({ objects: [] }, 401)
  const sent = new URLSearchParams(Buffer.from(await readBody(incoming, MAX_BODY)).toString('utf8'))
  const kind = sent.get('kind') ?? ''
  if (!isSearchedKind(kind)) return answer({ objects: [] }, 400)
  try {
    return answer({ objects: await pickObjects(kind, sent.get('text') ?? '', await consoleOf(session)) }, 200)
  } catch (error) {
    return answer({ objects: [] }, troubleOf(error).kind === 'invalid' ? 400 : 503)
  }
}

const answer = (value: PickAnswer, status: number): Response =>
  Response.json(value, {
    status,
    headers: UNCACHED,
  })
