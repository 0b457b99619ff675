import type { Metadata } from 'next'
import { addressBlocks } from '../../../../lib/management/resources/address-blocks'
import { userBlocks } from '../../../../lib/management/resources/user-blocks'
import { type Console, troubleOf } from '../../../../lib/server/next/console/page'
import { say } from '../../../../lib/text/console'
import { Forbid } from '../../_parts/forbid'
import { OperationForm } from '../../_parts/operation-form'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { Rows } from '../../_parts/rows'
import { Search } from '../../_parts/search'
import { TabbedHead } from '../../_parts/tabs'
import { SECURITY } from '../tabs'

export const metadata: Metadata = { title: say('security.blocks') }

const PATH = '/console/security/blocks'

type Lookup = { console: Console; name: string }

export default consolePage(async ({ console, query: { ip = '', account = '' } }) => {
  if (!console.may(addressBlocks.blockedIpsRead)) throw new Forbid()
  const ofAddress = ip === '' ? null : await address({ console, name: ip.trim() })
  const ofAccount = account === '' ? null : await blocks({ console, name: account.trim() })
  return (
    <>
      <TabbedHead {...SECURITY} console={console} path={PATH} />
      {console.may(userBlocks.find) && (
        <Panel id="account" title={say('security.blocks.account')} lead={say('security.blocks.account.lead')}>
          <Search path={PATH} name="account" label={say('security.blocks.account.label')} value={account} />
          {ofAccount}
        </Panel>
      )}
      <Panel id="address" title={say('security.blocks.address')} lead={say('security.blocks.address.lead')}>
        <Search path={PATH} name="ip" label={say('security.blocks.address.label')} value={ip} />
        {ofAddress}
      </Panel>
    </>
  )
})

async function address({ console, name }: Lookup) {
  try {
    await console.read(addressBlocks.blockedIpsRead, { params: { id: name } })
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble.kind === 'missing') return <p>{say('security.blocks.none', { name })}</p>
    if (trouble.kind === 'invalid') return <p className="co-problem">{trouble.message}</p>
    throw error
  }
  return (
    <>
      <p>{say('security.blocks.address.blocked', { name })}</p>
      {console.may(addressBlocks.blockedIpsDelete) && (
        <OperationForm
          operation={addressBlocks.blockedIpsDelete}
          params={{ id: name }}
          submitLabel={say('security.blocks.lift')}
          done="done"
        />
      )}
    </>
  )
}

async function blocks({ console, name }: Lookup) {
  if (!console.may(userBlocks.find)) return null
  const { blocked_for: found } = await console.read(userBlocks.find, {
    query: { identifier: name },
  })
  if (found.length === 0) return <p>{say('security.blocks.none', { name })}</p>
  return (
    <>
      <Rows
        rows={found}
        id={({ connection, ip = '' }) => `${connection} ${ip}`}
        cell={({ identifier, connection, ip }) => (
          <>
            <bdi>{identifier}</bdi> · <bdi>{connection}</bdi>
            {ip && (
              <>
                {' '}
                · <code>{ip}</code>
              </>
            )}
          </>
        )}
      />
      {console.may(userBlocks.lift) && (
        <OperationForm
          operation={userBlocks.lift}
          query={{ identifier: name }}
          submitLabel={say('security.blocks.lift')}
          done="done"
        />
      )}
    </>
  )
}
