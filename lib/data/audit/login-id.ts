// The id of a login: each record of the audit log about it has it, from the request to the tokens and their refreshes (docs/adr/0068).
// It is no secret and opens nothing. The login of a device has that of the token family that was chosen for it.
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'

export const newLoginId = (random: Random): string => random.hex(32)

/** Of what was sent to an address at that moment: the row of a code has no place for an id, and is found by the same facts. */
export const loginOfCode = (
  { connectionId, address }: { connectionId: string; address: string },
  sentAt: Date,
  vault: Pick<Vault, 'mac'>,
): string =>
  Buffer.from(vault.mac('login of a code', JSON.stringify([connectionId, address, sentAt.getTime()])))
    .toString('hex')
    .slice(0, 32)

export const loginOfFamily = (familyId: string): string => familyId.replaceAll('-', '')
