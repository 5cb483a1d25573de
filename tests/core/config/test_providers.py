"""Values that settings only refer to: in files, in directories, in variables (SEC-03)."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.secured import PLAIN_USERS

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.config.field import ConfigError
from barnabas.broker.settings import load_config
from barnabas.config_providers import ConfigProviders, ProviderError
from barnabas.properties import PropertiesError, parse_properties

KAFKAS = "org.apache.kafka.common.config.provider."
FILE = {"config.providers": "file", "config.providers.file.class": KAFKAS + "FileConfigProvider"}
ENV = {"config.providers": "env", "config.providers.env.class": KAFKAS + "EnvVarConfigProvider"}
DIR = {"config.providers": "dir", "config.providers.dir.class": KAFKAS + "DirectoryConfigProvider"}
ALL = {**FILE, **ENV, **DIR, "config.providers": "file, env, dir"}
SECRET = "pass:wo=rd "


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    path = tmp_path / "secrets.properties"
    jaas = PLAIN_USERS.replace("\\", r"\\")
    path.write_text(f"# secret\nkey\\:password = {SECRET}\nnumber=hidden-3\njaas={jaas}\n")
    return path


def test_where_values_are(secrets: Path) -> None:
    """SEC-03: a key of a file, a file of a directory, a variable; parts of a text as well."""
    (secrets.parent / "token").write_text("of a file")
    providers = ConfigProviders(ALL, {"WHO": "alice ${env:WHO}", "EMPTY": ""})
    for text, meant in {
        f"${{file:{secrets}:key:password}}": SECRET,
        f"${{dir:{secrets.parent}:token}}": "of a file",
        'user="${env:WHO}" ${env:EMPTY}|': 'user="alice ${env:WHO}" |',
        "nothing ${ here": "nothing ${ here",
    }.items():
        assert providers.resolve("a.setting", text) == meant


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("${file:SECRETS:none}", "the file has no such key"),
        ("${file:SECRETS.none:key}", "No such file"),
        ("${file:key}", "must be ${provider:path:key}"),
        ("${dir:DIRECTORY:none}", "No such file"),
        ("${dir:DIRECTORY:../token}", "without its directory"),
        ("${dir:DIRECTORY:.}", "without its directory"),
        ("${dir:token}", "must be ${provider:path:file}"),
        ("${dir:DIRECTORY:bytes}", "not UTF-8"),
        ("${file:DIRECTORY/broken:a}", "line 1 is not name=value"),
        ("${env:NONE}", "there is no such variable"),
        ("${env:/etc:HOME}", "variables have no path"),
        ("${vault:a:b}", "config.providers does not name the provider 'vault'"),
    ],
)
def test_references_that_lead_nowhere(secrets: Path, reference: str, reason: str) -> None:
    """SEC-03, SEC-04: each says what is wrong with which setting, and no value."""
    (secrets.parent / "bytes").write_bytes(b"\xff")
    (secrets.parent / "broken").write_text("hidden")
    text = reference.replace("SECRETS", str(secrets)).replace("DIRECTORY", str(secrets.parent))
    with pytest.raises(ProviderError) as caught:
        ConfigProviders(ALL, {}).resolve("a.setting", text)
    assert str(caught.value).startswith(f"a.setting: {text}: ")
    assert reason in str(caught.value)
    assert "hidden" not in str(caught.value)


def test_providers_that_are_not_configured() -> None:
    """SEC-03: the usual ones are missed; what only looks like a reference is a text."""
    none = ConfigProviders({}, {"A": "b"})
    with pytest.raises(ProviderError, match=r"config\.providers does not name the provider 'env'"):
        none.resolve("a.setting", "${env:A}")
    assert none.resolve("a.setting", "a${b:c}d") == "a${b:c}d"


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"config.providers": "file"}, r"file\.class: must be one of .*FileConfigProvider"),
        ({**FILE, "config.providers.file.class": "a.B"}, r"file\.class: must be one of"),
        ({**FILE, "config.providers.file.param.path": "x"}, r"param\.path: is not known"),
        ({**FILE, "config.providers.file.allowed.paths": "x"}, "is not known; there is"),
        ({**ENV, "config.providers.dir.class": "x"}, r"dir\.class: config\.providers does not"),
        ({**ENV, "config.providers.env.param.allowlist.pattern": "("}, "is no pattern"),
    ],
)
def test_providers_that_cannot_be(settings: dict[str, str], what: str) -> None:
    """SEC-03: there are Kafka's three, and no setting of them is without effect."""
    with pytest.raises(ProviderError, match=what):
        ConfigProviders(settings, {})


def test_what_providers_may_read(secrets: Path, tmp_path: Path) -> None:
    """SEC-03: paths by `allowed.paths`, also behind links; variables by a whole pattern."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(secrets)
    (inside / "own").write_text("number=1")
    own = {
        **ALL,
        "config.providers.file.param.allowed.paths": f"{inside},/nowhere",
        "config.providers.dir.param.allowed.paths": str(inside),
        "config.providers.env.param.allowlist.pattern": "KAFKA_.*",
    }
    providers = ConfigProviders(own, {"KAFKA_A": "a", "MY_KAFKA_A": "b"})
    assert providers.resolve("s", f"${{file:{inside}/own:number}}${{env:KAFKA_A}}") == "1a"
    for text in (
        f"${{file:{secrets}:number}}",
        f"${{file:{inside}/../{secrets.name}:number}}",
        f"${{file:{inside}/link:number}}",
        f"${{dir:{inside}:link}}",
    ):
        with pytest.raises(ProviderError, match=r"not within allowed\.paths"):
            providers.resolve("s", text)
    with pytest.raises(ProviderError, match=r"allowlist\.pattern does not allow it"):
        providers.resolve("s", "${env:MY_KAFKA_A}")


def test_a_node_whose_secrets_are_elsewhere(secrets: Path, tmp_path: Path) -> None:
    """SEC-03: from every source of settings, also for one listener; providers too."""
    file = tmp_path / "node.toml"
    file.write_text(
        f'"ssl.key.password" = "${{file:{secrets}:key:password}}"\n'
        f'"listener.name.plaintext.plain.sasl.jaas.config" = "${{file:{secrets}:jaas}}"\n'
        f'"config.providers.file.class" = "{KAFKAS}FileConfigProvider"\n'
    )
    environment = {
        "BARNABAS_CONFIG_PROVIDERS": "file,env",
        "BARNABAS_CONFIG_PROVIDERS_ENV_CLASS": KAFKAS + "EnvVarConfigProvider",
        "BARNABAS_NUM_PARTITIONS": "${env:COUNT}",
        "COUNT": "7",
    }
    config = load_config(
        file=str(file), environment=environment, assignments=["node.id=${env:COUNT}"]
    )
    assert config.ssl_key_password == SECRET.strip(), "as Kafka trims every setting"
    assert (config.num_partitions, config.node_id) == (7, 7)
    assert [one.value for one in config.listener_overrides] == [PLAIN_USERS]
    assert config.config_providers == ("file", "env")
    assert dict(config.provider_settings) == {
        "config.providers": "file,env",
        "config.providers.file.class": KAFKAS + "FileConfigProvider",
        "config.providers.env.class": KAFKAS + "EnvVarConfigProvider",
    }
    assert "pass:" not in repr(config)


@pytest.mark.parametrize(
    ("assignment", "what"),
    [
        ("num.partitions=${file:SECRETS:number}", r"value \$\{file:.*:number\} for .*type INT"),
        ("sasl.enabled.mechanisms=${file:SECRETS:number}", r"value \$\{file:.*:number\} for"),
        ("num.partitions=${file:SECRETS:none}", "num.partitions: .*the file has no such key"),
        ("listener.name.a.ssl.client.auth=${env:NONE}", "no such variable"),
        ("config.providers.x.class=hidden", "does not name its provider"),
    ],
)
def test_errors_show_references_only(secrets: Path, assignment: str, what: str) -> None:
    """SEC-03, SEC-04: a value that is wrong is not told, since it was kept out of sight."""
    settings = [f"{name}={value}" for name, value in ALL.items()]
    with pytest.raises(ConfigError, match=what) as caught:
        load_config(assignments=[*settings, assignment.replace("SECRETS", str(secrets))])
    assert "hidden" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_there_is_a_setting_for_them() -> None:
    """SEC-03: it is described as others are."""
    assert BrokerConfig(config_providers=("env",)).text("config.providers") == "env"


def test_javas_properties() -> None:
    """SEC-03: signs, blanks, escapes, comments, and lines that go on."""
    text = "a=1\n b : 2 \nc 3\n!no\n#no\n\nd\\ e=x\\\n   y\\\\\nf=\nu=\\u00e4\\t\n"
    assert parse_properties(text) == {
        "a": "1",
        "b": "2 ",
        "c": "3",
        "d e": "xy\\",
        "f": "",
        "u": "ä\t",
    }
    with pytest.raises(PropertiesError, match="line 2 is not"):
        parse_properties("a=b\nhidden\n")
