-- CreateTable
CREATE TABLE "webauthn_credential" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "connection_id" TEXT,
    "provider_user_id" TEXT,
    "authenticator_id" TEXT,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "aaguid" TEXT NOT NULL,
    "multi_device" BOOLEAN NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "rp_id" TEXT NOT NULL,
    "user_handle" BYTEA NOT NULL,
    "name" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "webauthn_credential_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "webauthn_credential_connection_id_provider_user_id_tenant_i_idx" ON "webauthn_credential"("connection_id", "provider_user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "webauthn_credential_authenticator_id_tenant_id_idx" ON "webauthn_credential"("authenticator_id", "tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "webauthn_credential_tenant_id_credential_id_key" ON "webauthn_credential"("tenant_id", "credential_id");

-- AddForeignKey
ALTER TABLE "webauthn_credential" ADD CONSTRAINT "webauthn_credential_tenant_id_connection_id_provider_user__fkey" FOREIGN KEY ("tenant_id", "connection_id", "provider_user_id") REFERENCES "identity"("tenant_id", "connection_id", "provider_user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webauthn_credential" ADD CONSTRAINT "webauthn_credential_tenant_id_authenticator_id_fkey" FOREIGN KEY ("tenant_id", "authenticator_id") REFERENCES "authenticator"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
