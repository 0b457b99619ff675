import type { AnswerOf } from '../../../lib/management/console-call'
import { connections } from '../../../lib/management/resources/connections'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { CopyableId } from '../_parts/copy'
import { Facts } from '../_parts/facts'
import { Panel } from '../_parts/panel'

type SetupName = keyof AnswerOf<typeof connections.setup>

/** What an administrator enters at the identity provider. */
export async function ProviderSetup({ id, console }: { id: string; console: Console }) {
  const setup = Object.entries(await console.read(connections.setup, { params: { id } }))
  if (setup.length === 0) return null
  return (
    <Panel title={say('connections.setup')} lead={say('connections.setup.lead')}>
      <Facts
        facts={setup.map(([name, value]) => [
          say(`connections.setup.${name as SetupName}`),
          <CopyableId key={name} value={value} />,
        ])}
      />
    </Panel>
  )
}
