// The id of a login: each record of the audit log about it has it, from the request to the tokens and their refreshes (docs/adr/0068).
// It is no secret and opens nothing. The login of a device has that of the token family that was chosen for it.
import type { Random } from '../../kernel/random'

export const newLoginId = (random: Random): string => random.hex(32)

export const loginOfFamily = (familyId: string): string => familyId.replaceAll('-', '')
