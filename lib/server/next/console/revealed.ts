// What a form shows of a secret that it made, this once: what it is, and what a person needs beside it.
import { isJsonObject } from '../../../kernel/json'
import type { Reference } from '../../../management/console-call'
import type { OperationOutcome } from '../../../management/operations/operation'
import { clients } from '../../../management/resources/clients'
import { isConsoleKey, say } from '../../../text/console'

/** `facts`: names and values as JSON, since the state of a form is flat. */
export type RevealedText = { title: string; facts: string }

export function textOfRevealed(
  operation: Reference,
  { body }: OperationOutcome,
  { baseUrl }: { baseUrl: string },
): RevealedText {
  const key = `form.secret.${operation.name}`
  const { name = '', client_id: clientId = '' } = isJsonObject(body) ? body : {}
  const facts =
    operation === clients.create
      ? [
          [say('applications.domain'), baseUrl],
          [say('column.client_id'), String(clientId)],
        ]
      : []
  return {
    title: say(isConsoleKey(key) ? key : 'form.secret', { name: String(name) }),
    facts: JSON.stringify(facts),
  }
}
