// The log of action runs, for the tenant's operators: the action, its outcome and its output. Of users only ids are recorded. The
// output is the author's choice, with the action's secrets removed (threat-model.md AC6).

import type { TriggerName } from '../../../data/tenants/triggers'
import { inWords } from '../../../kernel/network-failure'
import type { Ran } from '../sandbox/job'
import type { RecordedRequest } from '../sandbox/requests'

/** In place of a trigger, for runs of scripts of connections. */
export const OF_CONNECTION = 'connection-script'

export type RunRecord = {
  tenantId: string
  at: Date
  trigger: TriggerName | typeof OF_CONNECTION
  /** Of a script of a connection: `<connection>/<script>`. */
  action: string
  /** `ok`, `denied`, or the kind of failure. */
  outcome: string
  /** The error of a failed run. */
  reason: string | null
  userId: string | null
  clientId: string | null
  milliseconds: number
  lines: { level: string; text: string }[]
}

/** Accepts a record without waiting; it is written soon, or dropped and counted if there are too many. */
export type RunLog = { note(record: RunRecord): void }

/** What is shown of the output and the requests of a run. */
export const linesOf = ({ lines, requests }: Pick<Ran, 'lines' | 'requests'>, secrets: readonly unknown[]) => [
  ...lines.map(([level, text]) => ({ level, text: withoutSecrets(text, secrets) })),
  ...requests.map((request) => ({ level: 'request', text: withoutSecrets(sentenceOf(request), secrets) })),
]

/** Such as `GET api.example.com 200 (34 ms)`. */
const sentenceOf = ({ method, host, status, failure, milliseconds }: RecordedRequest): string =>
  `${method} ${host} ${status ?? (failure === null ? 'gave no answer' : `failed: ${inWords(failure)}`)} (${milliseconds} ms)`

export const inHundredths = ({ milliseconds }: Pick<Ran, 'milliseconds'>): number =>
  Math.round(milliseconds * 100) / 100

const MIN_SECRET_LENGTH = 4
/** Of a secret that a line of output was cut in. */
const MIN_PART_LENGTH = 8

export function withoutSecrets(text: string, secrets: readonly unknown[]): string {
  return secrets.reduce<string>(
    (rest, secret) =>
      typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH
        ? withoutPart(rest.replaceAll(secret, '***'), secret)
        : rest,
    text,
  )
}

/** Without the beginning of the secret at the end of the text. */
function withoutPart(text: string, secret: string): string {
  for (let length = Math.min(secret.length, text.length); length >= MIN_PART_LENGTH; length--)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}***`
  return text
}
