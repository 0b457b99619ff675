-- CreateTable
CREATE TABLE "organization" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "kept" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id","tenant_id")
);

-- CreateTable
CREATE TABLE "organization_member" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,

    CONSTRAINT "organization_member_pkey" PRIMARY KEY ("organization_id","user_id","tenant_id")
);

-- CreateTable
CREATE TABLE "organization_member_role" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,

    CONSTRAINT "organization_member_role_pkey" PRIMARY KEY ("organization_id","user_id","role_id","tenant_id")
);

-- CreateTable
CREATE TABLE "organization_connection" (
    "organization_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "assign_membership" BOOLEAN NOT NULL,
    "show_as_button" BOOLEAN NOT NULL,
    "signup_enabled" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "kept" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "organization_connection_pkey" PRIMARY KEY ("organization_id","connection_id","tenant_id")
);

-- CreateTable
CREATE TABLE "organization_invitation" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,
    "ticket_digest" BYTEA NOT NULL,
    "sealed_link" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "connection_id" TEXT,
    "inviter_name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "roles" TEXT[],
    "user_metadata" JSONB NOT NULL,
    "app_metadata" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organization_invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_client_grant" (
    "organization_id" TEXT NOT NULL,
    "client_grant_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,

    CONSTRAINT "organization_client_grant_pkey" PRIMARY KEY ("organization_id","client_grant_id","tenant_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organization_name_tenant_id_key" ON "organization"("name", "tenant_id");

-- CreateIndex
CREATE INDEX "organization_member_user_id_tenant_id_idx" ON "organization_member"("user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "organization_member_role_role_id_tenant_id_idx" ON "organization_member_role"("role_id", "tenant_id");

-- CreateIndex
CREATE INDEX "organization_connection_connection_id_tenant_id_idx" ON "organization_connection"("connection_id", "tenant_id");

-- CreateIndex
CREATE UNIQUE INDEX "organization_invitation_ticket_digest_key" ON "organization_invitation"("ticket_digest");

-- CreateIndex
CREATE INDEX "organization_invitation_organization_id_created_at_idx" ON "organization_invitation"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "organization_invitation_expires_at_idx" ON "organization_invitation"("expires_at");

-- CreateIndex
CREATE INDEX "organization_client_grant_client_grant_id_idx" ON "organization_client_grant"("client_grant_id");

-- AddForeignKey
ALTER TABLE "organization" ADD CONSTRAINT "organization_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_member" ADD CONSTRAINT "organization_member_organization_id_tenant_id_fkey" FOREIGN KEY ("organization_id", "tenant_id") REFERENCES "organization"("id", "tenant_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_member" ADD CONSTRAINT "organization_member_tenant_id_user_id_fkey" FOREIGN KEY ("tenant_id", "user_id") REFERENCES "user"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_member_role" ADD CONSTRAINT "organization_member_role_organization_id_user_id_tenant_id_fkey" FOREIGN KEY ("organization_id", "user_id", "tenant_id") REFERENCES "organization_member"("organization_id", "user_id", "tenant_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_member_role" ADD CONSTRAINT "organization_member_role_tenant_id_role_id_fkey" FOREIGN KEY ("tenant_id", "role_id") REFERENCES "role"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_connection" ADD CONSTRAINT "organization_connection_organization_id_tenant_id_fkey" FOREIGN KEY ("organization_id", "tenant_id") REFERENCES "organization"("id", "tenant_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_connection" ADD CONSTRAINT "organization_connection_tenant_id_connection_id_fkey" FOREIGN KEY ("tenant_id", "connection_id") REFERENCES "connection"("tenant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_invitation" ADD CONSTRAINT "organization_invitation_organization_id_tenant_id_fkey" FOREIGN KEY ("organization_id", "tenant_id") REFERENCES "organization"("id", "tenant_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_client_grant" ADD CONSTRAINT "organization_client_grant_organization_id_tenant_id_fkey" FOREIGN KEY ("organization_id", "tenant_id") REFERENCES "organization"("id", "tenant_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_client_grant" ADD CONSTRAINT "organization_client_grant_client_grant_id_fkey" FOREIGN KEY ("client_grant_id") REFERENCES "client_grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
