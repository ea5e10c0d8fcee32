# make demo | make test | make bench | make format | make clean
BUILD ?= build
CMAKE  = cmake -G Ninja

.PHONY: all demo test bench format clean deps

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

$(BUILD)/build.ninja:
	$(CMAKE) -S . -B $(BUILD)
