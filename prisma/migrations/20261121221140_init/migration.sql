-- CreateTable
CREATE TABLE "tenant" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "base_url" TEXT,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client" (
    "tenant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "secret_digest" BYTEA,
    "registration_digest" BYTEA,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_pkey" PRIMARY KEY ("tenant_id","client_id")
);

-- CreateTable
CREATE TABLE "api" (
    "tenant_id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_pkey" PRIMARY KEY ("tenant_id","identifier")
);

-- CreateTable
CREATE TABLE "client_grant" (
    "tenant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "scopes" TEXT[],

    CONSTRAINT "client_grant_pkey" PRIMARY KEY ("tenant_id","client_id","audience")
);

-- CreateTable
CREATE TABLE "role" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,

    CONSTRAINT "role_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "role_permission" (
    "tenant_id" TEXT NOT NULL,
    "role_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "permission" TEXT NOT NULL,

    CONSTRAINT "role_permission_pkey" PRIMARY KEY ("tenant_id","role_id","audience","permission")
);

-- CreateTable
CREATE TABLE "connection" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "strategy" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "user" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "username" TEXT,
    "phone_number" TEXT,
    "phone_verified" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,
    "nickname" TEXT,
    "picture" TEXT,
    "profile" JSONB NOT NULL DEFAULT '{}',
    "user_metadata" JSONB NOT NULL DEFAULT '{}',
    "app_metadata" JSONB NOT NULL DEFAULT '{}',
    "blocked" BOOLEAN NOT NULL DEFAULT false,
    "not_before" TIMESTAMPTZ(3),
    "logins_count" INTEGER NOT NULL DEFAULT 0,
    "last_login_at" TIMESTAMPTZ(3),
    "last_ip" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "user_role" (
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role_id" TEXT NOT NULL,

    CONSTRAINT "user_role_pkey" PRIMARY KEY ("tenant_id","user_id","role_id")
);

-- CreateTable
CREATE TABLE "identity" (
    "tenant_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "provider_user_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "is_social" BOOLEAN NOT NULL DEFAULT false,
    "email_key" TEXT,
    "username_key" TEXT,
    "password_hash" TEXT,
    "password_changed_at" TIMESTAMPTZ(3),
    "password_history" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "profile" JSONB NOT NULL DEFAULT '{}',
    "sealed_tokens" BYTEA,

    CONSTRAINT "identity_pkey" PRIMARY KEY ("tenant_id","connection_id","provider_user_id")
);

-- CreateTable
CREATE TABLE "authenticator" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "channel" TEXT,
    "name" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT false,
    "sealed" BYTEA,
    "phone_number" TEXT,
    "email" TEXT,
    "secret_digest" BYTEA,
    "vouched" BOOLEAN NOT NULL DEFAULT false,
    "last_step" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "authenticator_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "known_browser" (
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "remembered_until" TIMESTAMPTZ(3),

    CONSTRAINT "known_browser_pkey" PRIMARY KEY ("tenant_id","user_id","digest")
);

-- CreateTable
CREATE TABLE "device_credential" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "device_name" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_credential_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "login_transaction" (
    "handle_digest" BYTEA NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "origin" JSON NOT NULL,
    "wants" JSON NOT NULL,
    "browser_digest" BYTEA NOT NULL,
    "user_id" TEXT,
    "evidence" JSON NOT NULL DEFAULT '[]',
    "decisions" JSON NOT NULL DEFAULT '{}',
    "revision" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_transaction_pkey" PRIMARY KEY ("handle_digest")
);

-- CreateTable
CREATE TABLE "mfa_challenge" (
    "digest" BYTEA NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "transaction_digest" BYTEA NOT NULL,
    "user_id" TEXT NOT NULL,
    "authenticator_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "code_digest" BYTEA,
    "number" TEXT,
    "about" JSONB NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'pending',
    "polled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "mfa_challenge_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "session" (
    "id_digest" BYTEA NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "sid" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "evidence" JSON NOT NULL,
    "auth_time" TIMESTAMPTZ(3) NOT NULL,
    "participants" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "idle_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id_digest")
);

-- CreateTable
CREATE TABLE "saml_participant" (
    "tenant_id" TEXT NOT NULL,
    "sid" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name_id" TEXT NOT NULL,
    "name_id_format" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saml_participant_pkey" PRIMARY KEY ("tenant_id","sid","client_id")
);

-- CreateTable
CREATE TABLE "consent" (
    "tenant_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "scopes" TEXT[],
    "granted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consent_pkey" PRIMARY KEY ("tenant_id","user_id","client_id","audience")
);

-- CreateTable
CREATE TABLE "one_time_code" (
    "tenant_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "request" JSONB,
    "guesses" INTEGER NOT NULL DEFAULT 0,
    "link_digest" BYTEA,
    "login_digest" BYTEA,
    "number" TEXT,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "one_time_code_pkey" PRIMARY KEY ("tenant_id","connection_id","address")
);

-- CreateTable
CREATE TABLE "attempt_counter" (
    "tenant_id" TEXT NOT NULL,
    "key" BYTEA NOT NULL,
    "count" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attempt_counter_pkey" PRIMARY KEY ("tenant_id","key")
);

-- CreateTable
CREATE TABLE "device_authorization" (
    "digest" BYTEA NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "user_code_digest" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "audience" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "interval_seconds" INTEGER NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "family_id" UUID NOT NULL,
    "user_id" TEXT,
    "sid" TEXT,
    "authentication" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_authorization_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "token_family" (
    "id" UUID NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT,
    "scopes" TEXT[],
    "audience" TEXT,
    "sid" TEXT,
    "authentication" JSON,
    "generation" INTEGER,
    "rotated_at" TIMESTAMPTZ(3),
    "idle_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "gty" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),

    CONSTRAINT "token_family_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticket" (
    "digest" BYTEA NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "ticket_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "signing_key" (
    "tenant_id" TEXT NOT NULL,
    "kid" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "sealed_private" BYTEA NOT NULL,
    "certificate" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("tenant_id","kid")
);

-- CreateTable
CREATE TABLE "outbox_message" (
    "id" UUID NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "sealed_content" BYTEA,
    "notice" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "outbox_message_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenant_base_url_key" ON "tenant"("base_url");

-- CreateIndex
CREATE UNIQUE INDEX "role_tenant_id_name_key" ON "role"("tenant_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "connection_tenant_id_name_key" ON "connection"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "user_tenant_id_email_idx" ON "user"("tenant_id", "email");

-- CreateIndex
CREATE INDEX "user_role_tenant_id_role_id_idx" ON "user_role"("tenant_id", "role_id");

-- CreateIndex
CREATE INDEX "identity_tenant_id_user_id_idx" ON "identity"("tenant_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "identity_tenant_id_connection_id_email_key_key" ON "identity"("tenant_id", "connection_id", "email_key");

-- CreateIndex
CREATE UNIQUE INDEX "identity_tenant_id_connection_id_username_key_key" ON "identity"("tenant_id", "connection_id", "username_key");

-- CreateIndex
CREATE INDEX "authenticator_tenant_id_user_id_idx" ON "authenticator"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "known_browser_seen_at_idx" ON "known_browser" USING BRIN ("seen_at");

-- CreateIndex
CREATE INDEX "device_credential_tenant_id_user_id_idx" ON "device_credential"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "login_transaction_expires_at_idx" ON "login_transaction" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "mfa_challenge_tenant_id_authenticator_id_idx" ON "mfa_challenge"("tenant_id", "authenticator_id");

-- CreateIndex
CREATE INDEX "mfa_challenge_expires_at_idx" ON "mfa_challenge" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "session_tenant_id_user_id_idx" ON "session"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "session_sid_idx" ON "session"("sid");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "saml_participant_expires_at_idx" ON "saml_participant" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "one_time_code_expires_at_idx" ON "one_time_code" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "attempt_counter_expires_at_idx" ON "attempt_counter" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "device_authorization_expires_at_idx" ON "device_authorization" USING BRIN ("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "device_authorization_user_code_digest_tenant_id_key" ON "device_authorization"("user_code_digest", "tenant_id");

-- CreateIndex
CREATE INDEX "token_family_tenant_id_user_id_idx" ON "token_family"("tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "token_family_expires_at_idx" ON "token_family" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "ticket_tenant_id_kind_subject_idx" ON "ticket"("tenant_id", "kind", "subject");

-- CreateIndex
CREATE INDEX "ticket_expires_at_idx" ON "ticket" USING BRIN ("expires_at");

-- CreateIndex
CREATE INDEX "outbox_message_next_attempt_at_idx" ON "outbox_message"("next_attempt_at");

-- CreateIndex
CREATE INDEX "outbox_message_tenant_id_created_at_idx" ON "outbox_message"("tenant_id", "created_at");

-- AddForeignKey
ALTER TABLE "client" ADD CONSTRAINT "client_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api" ADD CONSTRAINT "api_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_grant" ADD CONSTRAINT "client_grant_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "role" ADD CONSTRAINT "role_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "role_permission" ADD CONSTRAINT "role_permission_tenant_id_role_id_fkey" FOREIGN KEY ("tenant_id", "role_id") REFERENCES "role"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection" ADD CONSTRAINT "connection_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user" ADD CONSTRAINT "user_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_role" ADD CONSTRAINT "user_role_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_role" ADD CONSTRAINT "user_role_tenant_id_role_id_fkey" FOREIGN KEY ("tenant_id", "role_id") REFERENCES "role"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity" ADD CONSTRAINT "identity_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity" ADD CONSTRAINT "identity_tenant_id_connection_id_fkey" FOREIGN KEY ("tenant_id", "connection_id") REFERENCES "connection"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authenticator" ADD CONSTRAINT "authenticator_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "known_browser" ADD CONSTRAINT "known_browser_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_credential" ADD CONSTRAINT "device_credential_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consent" ADD CONSTRAINT "consent_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signing_key" ADD CONSTRAINT "signing_key_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
