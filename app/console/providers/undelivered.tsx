import { upkeep } from '../../../lib/management/resources/upkeep'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { Notice } from '../_parts/states'

/** That messages are not delivered, where that is so. */
export async function undelivered(kind: 'email' | 'phone', console: Console) {
  if (!console.may(upkeep.deliveries)) return null
  const trouble = (await console.read(upkeep.deliveries))[kind]
  if (!trouble) return null
  return (
    <Notice kind="error">
      {say(`home.undelivered.${kind}`, { count: String(trouble.count), why: trouble.last_error })}
    </Notice>
  )
}
