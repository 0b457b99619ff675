// The names of the commands. Each command is a file in this folder.
import { actions } from './actions'
import { admin } from './admin'
import { audit } from './audit'
import { cleanUpOnce } from './clean-up'
import type { Command } from './command'
import { doctor } from './doctor'
import { keys } from './keys'
import { messages } from './messages'
import { migrations } from './migrations'
import { secret } from './secret'
import { sessions } from './sessions'
import { tenant } from './tenant'

export const COMMANDS: Readonly<Record<string, Command>> = {
  actions,
  admin,
  audit,
  'clean-up': cleanUpOnce,
  doctor,
  keys,
  messages,
  migrate: migrations,
  secret,
  sessions,
  tenant,
}

export const USAGE = `Commands:
  npm run migrate                        apply the migrations that the database lacks
  npm run migrate -- status              name the migrations that the database lacks
  npm run migrate -- new NAME            write a migration from the changes in prisma/schema.prisma
  npm run tenant -- plan FILE            show what a tenant file would change
  npm run tenant -- apply FILE           apply a tenant file
  npm run tenant -- export [FILE]        write the tenant as a file
  npm run actions -- logs                show how actions ended lately, and what they printed
  npm run actions -- test FILE           run an action once on an event, and show what it does
  npm run actions -- types               print the types of actions for an editor
  npm run actions -- bundle              bundle packages of npm for actions and scripts, for a server that reaches no registry
  npm run admin -- list                  show who may enter the console
  npm run admin -- invite --role ROLE    print a link that makes an administrator
  npm run admin -- revoke USER_ID        take the console away from an administrator
  npm run admin -- reset-factor USER_ID  remove the lost second factors of an administrator
  npm run audit -- list                  show the audit log
  npm run audit -- verify [HEAD]         prove that the audit log is the one that was written
  npm run audit -- erase USER_ID         forget a person in the audit log
  npm run clean-up                       remove what has ended long ago, as running servers do by themselves
  npm run messages                       show the messages that wait or were given up
  npm run sessions -- end-all            sign every user out; --tenant ID names one tenant
  npm run secret                         show when the secrets that open this database were added
  npm run secret -- add                  let LATCHKEY_NEW_SECRET open it too
  npm run secret -- retire               leave LATCHKEY_SECRET as the only one that opens it
  npm run doctor                         look at what the server depends on, and say what is not well
  npm run keys                           show the signing keys of every tenant; --tenant ID names one
  npm run keys -- rotate                 sign with the next key, keep verifying with the present one
  npm run keys -- revoke KID             end a key at once: what it signed no longer verifies`
