// What JSON can say: the only form in which data crosses into a sandbox, a settings column or a tenant file.
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }
